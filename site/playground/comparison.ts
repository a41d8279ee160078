/** What the chosen behaviour of the service changed: a run compared with one of the same code by default. */
import type { Message, SentRequest, Start } from './messages.ts'
import { start, type Ending } from './session.ts'

/** What a run has printed, without warnings, and sent. */
interface Transcript {
  readonly output: string
  readonly requests: readonly SentRequest[]
}

/** Collects the transcript of a run. */
export const createTranscript = () => {
  let output = ''
  const requests = new Map<number, SentRequest>()
  return {
    add(message: Message) {
      if (message.type === 'output' && !message.isError) output += `${message.text}\n`
      else if (message.type === 'request') requests.set(message.request.id, message.request)
    },
    end: ({ kind, text }: Ending): Transcript => ({
      output: kind === 'finished' ? output : output + text,
      requests: [...requests.values()],
    }),
  }
}

/** Runs a snippet without showing it. */
export const runUnseen = (given: Start) => {
  const { add, end } = createTranscript()
  const { promise, resolve } = Promise.withResolvers<Transcript>()
  return { stop: start(given, add, (ending) => resolve(end(ending))), transcript: promise }
}

const exchangesOf = ({ requests }: Transcript): string =>
  requests
    .map(({ target, status, bytes }) => `${target} ${status} ${bytes}`)
    .toSorted()
    .join('\n')

const errorsOf = ({ requests }: Transcript): string[] =>
  requests.map(({ status }) => String(status)).filter((status) => !status.startsWith('2'))

const secondsWaited = ({ requests }: Transcript): string =>
  (Math.max(0, ...requests.map(({ waitedMs }) => waitedMs)) / 1000).toFixed(1)

/** Says in one sentence how a run differs from the usual one. */
export const compare = (chosen: Transcript, usual: Transcript): string => {
  if (exchangesOf(chosen) === exchangesOf(usual)) return 'No difference: the same requests and responses as by default.'
  const facts = [
    ['requests', chosen.requests.length, usual.requests.length],
    ['error responses', errorsOf(chosen).join(', ') || 'none', errorsOf(usual).join(', ') || 'none'],
    ['longest wait', `${secondsWaited(chosen)} s`, `${secondsWaited(usual)} s`],
  ] as const
  const changes = facts
    .filter(([, now, before]) => now !== before)
    .map(([name, now, before]) => `; ${name}: ${now} instead of ${before}`)
  const result = chosen.output === usual.output ? 'Same result as by default' : 'Another result than by default'
  return `${result}${changes.join('')}.`
}
