import { timersDieWithRequests } from '../throttle/index.ts'

/** Characters that are parsed in one turn of the event loop: hostile ones take about 30 ms. */
const charactersPerTurn = 262_144
/** Shorter strings do not count. A page of 100 transactions has about 20,000 characters. */
const leastCounted = 32_768

// Taken when the module is loaded, so that the fake timers of a test do not stop it.
const { setTimeout } = globalThis

let parsed = 0
let nextTurn: Promise<void> | undefined

/**
 * Resolves when a string of so many characters may be parsed. Large responses that arrive together, or one that many calls
 * share, are parsed in different turns of the event loop, so that nothing is blocked for longer than the largest takes.
 */
export const parsingTurn = async (characters: number): Promise<void> => {
  if (characters < leastCounted || timersDieWithRequests) return
  const isFull = () => parsed > 0 && parsed + characters > charactersPerTurn
  while (isFull()) await nextTurn
  parsed += characters
  nextTurn ??= new Promise((resolve) => {
    setTimeout(() => {
      parsed = 0
      nextTurn = undefined
      resolve()
    })
  })
}
