import { timersDieWithRequests } from '../throttle/index.ts'

/** Characters that are parsed in one turn of the event loop: hostile ones take about 30 ms. */
const charactersPerTurn = 262_144

/** Responses further apart, in milliseconds, do not arrive together. */
const togetherMs = 1000

let parsed = 0
let parsedAt = 0
let turn: Promise<void> | undefined

/** Resolves in another turn of the event loop. Not by a timer: fake timers of a test would stop it. */
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      parsed = 0
      turn = undefined
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })

/**
 * Resolves when a string of so many characters may be parsed. Responses that arrive together, or one that many calls share,
 * are parsed in different turns of the event loop, so that nothing is blocked for longer than the largest takes.
 */
export const parsingTurn = async (characters: number): Promise<void> => {
  if (timersDieWithRequests) return // nor can one request wake another there
  const now = performance.now()
  if (Math.abs(now - parsedAt) > togetherMs) parsed = 0 // it is less where a test has begun to use fake timers
  parsedAt = now
  const isFull = () => parsed > 0 && parsed + characters > charactersPerTurn
  while (isFull()) await (turn ??= nextTurn())
  parsed += characters
}
