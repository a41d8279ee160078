import { styleText } from 'node:util'
import { printable } from '@guild-ledger/validation/command-line'
import type { ResponseEvent } from '../adapters/node/server.ts'

type Format = Parameters<typeof styleText>[0]

const maxTargetLength = 200

const truncated = (text: string): string =>
  text.length > maxTargetLength ? `${text.slice(0, maxTargetLength - 1)}…` : text

const colours: Readonly<Record<string, Format>> = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' }

const microseconds = ({ durationMs }: ResponseEvent): number => Math.round(durationMs * 1000)

const textLine = (event: ResponseEvent, paint: (format: Format, text: string) => string): string => {
  const { method, target, status, keyName, rejectedBy, faults = [], error } = event
  return [
    paint('bold', method),
    truncated(printable(target)),
    paint(colours[Math.trunc(status / 100)] ?? 'reset', String(status)),
    // Names are free text: quotes show where one ends.
    paint('dim', keyName === undefined ? '-' : printable(JSON.stringify(keyName))),
    paint('dim', `${microseconds(event)} µs`),
    ...(rejectedBy === undefined ? [] : [paint('magenta', `rejected by ${rejectedBy}`)]),
    ...(faults.length > 0 ? [paint('magenta', `faults ${faults.join(', ')}`)] : []),
    ...(error === undefined ? [] : [paint('red', printable(JSON.stringify(error)))]),
  ].join(' ')
}

const jsonLine = (event: ResponseEvent): string => {
  const { method, target, status, keyName = null, rejectedBy = null, faults = [], error } = event
  const line = { method, target, status, keyName, microseconds: microseconds(event), rejectedBy, faults, error }
  return JSON.stringify(line)
}

export const createRequestPrinter = (stream: NodeJS.WriteStream, json: boolean): ((event: ResponseEvent) => void) => {
  const lineOf = json
    ? jsonLine
    : (event: ResponseEvent) => textLine(event, (format, text) => styleText(format, text, { stream }))
  return (event) => void stream.write(`${lineOf(event)}\n`)
}
