/**
 * Probes many random services and compares the results with their assumptions:
 * `node … probe-round-trip.ts [from] [to] [growing|backdated|rolling] [basic]`. With one of the first three, their ledgers
 * change meanwhile. With `basic` the probe infers one kind of request per assumption.
 */
import { changes, roundTrip } from '../test/probe/run-inference.ts'

const [from = 0, to = 20_000] = process.argv.slice(2, 4).map(Number)
const change = changes.find((one) => process.argv.includes(one))
const isBasic = process.argv.includes('basic')
const step = 100
const requests: number[] = []
let [wrong, outside, decided, verdicts] = [0, 0, 0, 0]
for (let start = from; start < to; start += step) {
  const seeds = Array.from({ length: Math.min(step, to - start) }, (_, i) => start + i)
  const part = await roundTrip(seeds, { change, isBasic })
  for (const line of [...part.wrong, ...part.outside.map((one) => `outside: ${one}`)]) process.stdout.write(`${line}\n`)
  wrong += part.wrong.length
  outside += part.outside.length
  decided += part.decided
  verdicts += part.verdicts
  requests.push(...part.requests)
  const mean = requests.reduce((sum, count) => sum + count, 0) / requests.length
  process.stdout.write(
    `${requests.length} services: ${wrong} decided wrongly, ${outside} outside, ${((100 * decided) / verdicts).toFixed(1)} % decided; ` +
      `requests beyond one pass: mean ${mean.toFixed(1)}, most ${Math.max(...requests)}; ${process.cpuUsage().user / 1e6 / requests.length} s of processor time each\n`,
  )
}
process.exitCode = wrong === 0 ? 0 : 1
