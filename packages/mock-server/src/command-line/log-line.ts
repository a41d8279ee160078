import { styleText } from 'node:util'
import type { Served } from '../carriers/node.ts'

type Format = Parameters<typeof styleText>[0]
/** Puts text in colour, or leaves it as it is. */
type Paint = (format: Format, text: string) => string

/** Colour where the stream is a terminal, unless `NO_COLOR` or `FORCE_COLOR` say otherwise. */
export const paintFor = (stream: NodeJS.WriteStream): Paint => {
  // Asked once: the answer does not change while a server runs, and asking costs more than a line.
  const coloured = styleText('dim', 'x', { stream }) !== 'x'
  return coloured ? (format, text) => styleText(format, text, { validateStream: false }) : (_format, text) => text
}

const longestTarget = 200

const escaped = (text: string, escape: (code: number) => string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => escape(character.codePointAt(0) ?? 0))

/** Node hands on bytes of a path as characters up to 255: some of them are commands to a terminal. */
const shownTarget = (target: string): string => {
  const shown = target.replaceAll(/[^\x21-\x7E]/g, encodeByte)
  return shown.length > longestTarget ? `${shown.slice(0, longestTarget - 1)}…` : shown
}

const encodeByte = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** Key names are free text: quotes show where one ends, and nothing in it reaches a terminal as a command. */
const shownName = (name: string): string => escaped(JSON.stringify(name), (code) => `\\u{${code.toString(16)}}`)

const colourOf: Readonly<Record<string, Format>> = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' }

const microseconds = ({ durationMs }: Served): number => Math.round(durationMs * 1000)

/** A request on one line for people: what was asked, what came of it, by which key, how long it took, and why not. */
export const logLine = (served: Served, paint: Paint): string => {
  const { method, target, status, keyName, refusedBy, faults = [] } = served
  return [
    paint('bold', method),
    shownTarget(target),
    paint(colourOf[Math.trunc(status / 100)] ?? 'reset', String(status)),
    paint('dim', keyName === undefined ? '-' : shownName(keyName)),
    paint('dim', `${microseconds(served)} µs`),
    ...(refusedBy === undefined ? [] : [paint('magenta', `refused by ${refusedBy}`)]),
    ...(faults.length > 0 ? [paint('magenta', `met ${faults.join(', ')}`)] : []),
  ].join(' ')
}

/** The same for programs: one JSON object, its values as they came. */
export const jsonLine = (served: Served): string => {
  const { method, target, status, keyName = null, refusedBy = null, faults = [] } = served
  const line = JSON.stringify({
    method,
    target,
    status,
    keyName,
    microseconds: microseconds(served),
    refusedBy,
    faults,
  })
  return escaped(line, (code) => `\\u${code.toString(16).padStart(4, '0')}`)
}
