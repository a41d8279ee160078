import { styleText } from 'node:util'
import type { ResponseEvent } from '../adapters/node/server.ts'

type Format = Parameters<typeof styleText>[0]
/** Colours text, or leaves it as it is. */
type Paint = (format: Format, text: string) => string

/** Colour where the stream is a terminal, unless `NO_COLOR` or `FORCE_COLOR` say otherwise. */
const paintFor = (stream: NodeJS.WriteStream): Paint => {
  // Checked once: it does not change while a server runs, and the check costs more than a line.
  const isColoured = styleText('dim', 'x', { stream }) !== 'x'
  return isColoured ? (format, text) => styleText(format, text, { validateStream: false }) : (_format, text) => text
}

const maxTargetLength = 200

const escapeControls = (text: string, escape: (code: number) => string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => escape(character.codePointAt(0) ?? 0))

const encodeByte = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** Node hands on bytes of a path as characters up to 255: some of them are commands to a terminal. */
const printableTarget = (target: string): string => {
  const printable = target.replaceAll(/[^\x21-\x7E]/g, encodeByte)
  return printable.length > maxTargetLength ? `${printable.slice(0, maxTargetLength - 1)}…` : printable
}

/** Key names are free text: quotes show where one ends, and nothing in it reaches a terminal as a command. */
const printableName = (name: string): string =>
  escapeControls(JSON.stringify(name), (code) => `\\u{${code.toString(16)}}`)

const colours: Readonly<Record<string, Format>> = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' }

const microseconds = ({ durationMs }: ResponseEvent): number => Math.round(durationMs * 1000)

/** A line for people: request, status, name of the API key, duration, what rejected it, faults. */
const textLine = (event: ResponseEvent, paint: Paint): string => {
  const { method, target, status, keyName, rejectedBy, faults = [], error } = event
  return [
    paint('bold', method),
    printableTarget(target),
    paint(colours[Math.trunc(status / 100)] ?? 'reset', String(status)),
    paint('dim', keyName === undefined ? '-' : printableName(keyName)),
    paint('dim', `${microseconds(event)} µs`),
    ...(rejectedBy === undefined ? [] : [paint('magenta', `rejected by ${rejectedBy}`)]),
    ...(faults.length > 0 ? [paint('magenta', `faults ${faults.join(', ')}`)] : []),
    ...(error === undefined ? [] : [paint('red', printableName(error))]),
  ].join(' ')
}

/** The same for programs, as a JSON object. */
const jsonLine = (event: ResponseEvent): string => {
  const { method, target, status, keyName = null, rejectedBy = null, faults = [], error } = event
  const line = { method, target, status, keyName, microseconds: microseconds(event), rejectedBy, faults, error }
  return escapeControls(JSON.stringify(line), (code) => `\\u${code.toString(16).padStart(4, '0')}`)
}

/** Writes a line to a stream for each response: for people, or as JSON. */
export const createRequestPrinter = (stream: NodeJS.WriteStream, json: boolean): ((event: ResponseEvent) => void) => {
  const paint = paintFor(stream)
  const lineOf = json ? jsonLine : (event: ResponseEvent) => textLine(event, paint)
  return (event) => void stream.write(`${lineOf(event)}\n`)
}
