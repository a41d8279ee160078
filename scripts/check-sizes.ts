/** Compares the size of each place with its bound in `layers.ts`. */
import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { sizes } from '../layers.ts'

const isTest = /\.test(?:-d)?\.ts$/u
const outside = ['**/node_modules/**', '**/dist*/**', '**/out/**']
const read = (pattern: string, matches: (path: string) => boolean): string[] =>
  globSync(pattern, { exclude: (path) => outside.some((glob) => matchesGlob(path, glob)) })
    .filter(matches)
    .map((path) => readFileSync(path, 'utf8'))

const lines = (texts: string[]): number => texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0)

const count = {
  'lines without tests': (folder: string) => lines(read(`${folder}/**/*.ts`, (path) => !isTest.test(path))),
  'lines of tests': (folder: string) =>
    lines(read(`${folder}/**/*.ts`, (path) => isTest.test(path) || path.includes('/test/'))),
  words: (pattern: string) =>
    read(pattern, () => true).reduce((sum, text) => sum + (text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0), 0),
}

interface Size {
  readonly bound: number
  readonly now?: number
}

const distance = (size: number, bound: number): string =>
  size > bound ? `${size - bound} above` : `${bound - size} below`

for (const [unit, places] of Object.entries<Record<string, Size>>(sizes)) {
  for (const [place, { bound, now = bound }] of Object.entries(places)) {
    const size = count[unit as keyof typeof count](place)
    const isTooLarge = size > now
    const limit = now > bound ? `, at most ${now} for now` : ''
    process.stdout.write(
      `${isTooLarge ? 'FAILED ' : ''}${place}: ${size} ${unit}, ${distance(size, bound)} the bound of ${bound}${limit}\n`,
    )
    if (isTooLarge) process.exitCode = 1
  }
}
