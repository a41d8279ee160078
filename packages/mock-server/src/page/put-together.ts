import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

/** The page as it is served, and what its policy has to know of it. */
export interface Made {
  readonly html: string
  /** Of the style and the script inside, as a Content-Security-Policy names them. */
  readonly hashes: Readonly<Record<'style' | 'script', string>>
}

const folder = new URL('.', import.meta.url)

const bundled = (file: string): string => {
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

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Makes one file of the page, so that a server sends it whole and its policy can be strict. */
export const putTogether = (): Made => {
  const html = readFileSync(new URL('page.html', folder), 'utf8')
  const style = bundled('page.css')
  const script = bundled('browser/main.ts')
  return {
    html: html
      .replaceAll(/\n\s+/g, '\n')
      // Functions, as a replacement text would have its dollar signs read.
      .replace(/(?<=<style>)[^<]*/, () => style)
      .replace(/(?<=<script>)[^<]*/, () => script),
    hashes: { style: hashOf(style), script: hashOf(script) },
  }
}
