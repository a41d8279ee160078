import { basename, join } from 'node:path'
import { build } from 'esbuild'

/** Bundles a file of this folder into one for other runtimes than Node, or for a web page. Returns its path. */
export const bundle = async (entry: string, platform: 'neutral' | 'browser' = 'neutral'): Promise<string> => {
  const outfile = join(import.meta.dirname, 'out', `${basename(entry)}.js`)
  await build({
    entryPoints: [join(import.meta.dirname, `${entry}.ts`)],
    outfile,
    bundle: true,
    format: platform === 'browser' ? 'iife' : 'esm',
    platform,
    mainFields: ['module', 'main'],
    external: ['node:*'],
    target: 'es2023',
    logLevel: 'warning',
  })
  return outfile
}
