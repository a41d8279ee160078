/** Compares the size of each folder with its upper bound in `layers.ts`. */
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
    read(pattern, () => true).reduce((sum, text) => sum + (text.match(/\S+/gu)?.length ?? 0), 0),
}

for (const [unit, bounds] of Object.entries<Record<string, number>>(sizes)) {
  for (const [place, most] of Object.entries(bounds)) {
    const size = count[unit as keyof typeof count](place)
    const isTooLarge = size > most
    process.stdout.write(`${isTooLarge ? 'FAILED ' : ''}${place}: ${size} of at most ${most} ${unit}\n`)
    if (isTooLarge) process.exitCode = 1
  }
}
