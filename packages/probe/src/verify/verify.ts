import type { ProbeReport } from '../types.ts'
import type { Explorer } from '../explore.ts'
import { aspectsOf, parts } from '../infer/aspects.ts'
import type { Solution } from '../infer/domains.ts'
import { failingIn } from '../infer/observation.ts'

/** Compares all responses with those of a mock that has the values that are written. */
export const compare = (explorer: Explorer, written: Solution): ProbeReport['comparison'] => {
  let [compared, different] = [0, 0]
  const { blamed, observations } = explorer.inference
  for (const observation of observations) {
    const [copy, ...others] = observation.copies
    if (!copy || others.length > 0) continue
    const { request } = observation
    if (parts.some((part) => copy.predict(request, written, part).reads.some((key) => blamed.has(key)))) continue
    for (const part of parts) {
      compared += aspectsOf[part].length - copy.hidden(request, written, part).size
      different += failingIn(observation, part, written).length
    }
  }
  return { compared, different }
}
