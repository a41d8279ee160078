import type { ProbeReport } from '../types.ts'
import type { Explorer } from '../explore.ts'
import { agreesIn, aspectsOf, parts } from '../infer/aspects.ts'
import type { Solution } from '../infer/domains.ts'

/** Compares all responses with those of a mock that has the values that are written. */
export const compare = (explorer: Explorer, written: Solution): ProbeReport['comparison'] => {
  let [compared, different] = [0, 0]
  const { blamed, observations } = explorer.inference
  for (const { request, observed, copies } of observations) {
    const copy = copies.at(-1)
    if (copies.length !== 1 || !copy) continue
    const predictions = parts.map((part) => [part, copy.predict(request, written, part)] as const)
    if (predictions.some(([, { reads }]) => reads.some((key) => blamed.has(key)))) continue
    for (const [part, prediction] of predictions) {
      const hidden = copy.hidden(request, written, part)
      for (const aspect of aspectsOf[part]) {
        if (hidden.has(aspect)) continue
        compared++
        if (!agreesIn(aspect, prediction.expected, observed)) different++
      }
    }
  }
  return { compared, different }
}
