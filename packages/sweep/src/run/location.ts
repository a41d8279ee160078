import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const pathIn = (url: string): string => {
  try {
    return fileURLToPath(url).replace(/^\/(?=[A-Za-z]:)/, '')
  } catch {
    return url
  }
}

/** A file as reports show it: relative to the folder where the sweep runs, with slashes, whichever way it was written. */
export const shownPath = (file: string): string =>
  relative('', file.startsWith('file:') ? pathIn(file) : file).replaceAll('\\', '/')

/** How a runner writes a frame of a stack. The first group is the file, the second the line. */
interface Format {
  readonly pattern: RegExp
  /** What may stand between the name of a function and the file, and also in the file. */
  readonly separator?: string
  /** Where to split if no such file exists. @default 0, the first separator */
  readonly split?: number
}

const formats: readonly Format[] = [
  // V8: `at run (app/(shop)/a.test.ts:3:4)`, `at app/(shop)/a.test.ts:3:4`
  { pattern: /^\s*at [^(]*? \((.*):(\d+):\d+\)$/, separator: ' (' },
  { pattern: /^\s*at (?:async )?(.*):(\d+):\d+$/ },
  // Vitest: `❯ run a.test.ts:3:4`
  { pattern: /^\s*❯ (.*):(\d+):\d+$/, separator: ' ', split: -1 },
  // Firefox and Safari: `run@a.test.ts:3:4`
  { pattern: /^[^@]*@(.*):(\d+):\d+$/ },
  // Python and pytest
  { pattern: /File "([^"]+)", line (\d+)/ },
  { pattern: /^(.*\.py):(\d+): / },
  // Bats, .NET, Perl
  { pattern: /in (?:test )?file (.*), line (\d+)/ },
  { pattern: /^\s*at .*? in (.*):line (\d+)$/ },
  { pattern: /\bat (.+) line (\d+)\.$/, separator: ' at ', split: -1 },
  // Anything else, without blanks, that is no host with its port
  { pattern: /((?:[A-Za-z]:)?[^\s"'():]+\.(?!(?:com|dev|io|net):)(?:[A-Za-z]\w{0,3}|feature|scala|swift)):(\d+)/ },
]

/** What may be the file: all of a text, and what comes after each separator. Files have an extension. */
const endsOf = (text: string, separator: string): string[] => {
  const parts = text.split(separator)
  return parts.map((_, i) => parts.slice(i).join(separator)).filter((end) => /\.\w+$/.test(end))
}

/** The file and the line that a line of a stack names. */
const frameIn = (text: string): { file: string; line: string | undefined; format: Format }[] => {
  for (const format of formats) {
    const { pattern, separator, split = 0 } = format
    const [, place, line] = pattern.exec(text) ?? []
    if (place === undefined) continue
    const files = (separator === undefined ? [place] : endsOf(place, separator)).map(shownPath)
    // Names of functions and of files may have blanks and parentheses: a file that exists decides.
    const file = files.find((one) => existsSync(one)) ?? files.at(split)
    if (file !== undefined) return [{ file, line, format }]
  }
  return []
}

const innerFrames =
  /node_modules|node:internal|site-packages|[\\/]lib[\\/]python|<frozen|[\\/]src[\\/](?:runtime|testing)[\\/]\w+\.go|[\\/]pkg[\\/]mod[\\/]|\bat (?:java|jdk|org\.(?:junit|opentest4j|assertj))\./

/** `file:line` of a stack: the innermost frame in the test file, else the innermost one outside of libraries. */
export const locationIn = (text: string, testFile?: string): string | undefined => {
  const frames = stripVTControlCharacters(text)
    .split(/\r?\n/)
    .filter((line) => !innerFrames.test(line))
    .flatMap((line) => frameIn(line.replaceAll(/https?:\S+/g, '')))
  const isOfTest =
    testFile === undefined ? () => false : ({ file }: (typeof frames)[number]) => file === shownPath(testFile)
  // A message may have what looks like a frame.
  const found = frames.find(isOfTest) ?? frames.find(({ format }) => format !== formats.at(-1)) ?? frames[0]
  return found && `${found.file}:${found.line}`
}
