import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type esbuild from 'esbuild'

/**
 * The dashboard as one HTML file, so that a policy can forbid everything else: other origins, frames, and HTML from
 * strings. It contains no data, no API key and no token, and reads the admin API as any client does.
 */
export interface Dashboard {
  readonly html: string
  /** Hashes of its style and its script, as a Content-Security-Policy names them. */
  readonly hashes: Readonly<Record<'style' | 'script', string>>
}

const folder = new URL('.', import.meta.url)

const bundle = (file: string): string => {
  // Loaded when it is needed: a mock from sources starts sooner.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof esbuild
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(file, folder))],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2023',
    charset: 'utf8',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Builds the dashboard into one file, so that a server sends it whole and its policy can be strict. Runs when the mock
 * server is built, or, in a checkout, when the dashboard is first opened.
 */
export const buildDashboard = (): Dashboard => {
  const html = readFileSync(new URL('dashboard.html', folder), 'utf8')
  const style = bundle('dashboard.css')
  const script = bundle('browser/main.ts')
  return {
    html: html
      .replaceAll(/\n\s+/g, '\n')
      // Functions, because dollar signs in a replacement string have a meaning.
      .replace(/(?<=<style>)[^<]*/, () => style)
      .replace(/(?<=<script>)[^<]*/, () => script),
    hashes: { style: hash(style), script: hash(script) },
  }
}
