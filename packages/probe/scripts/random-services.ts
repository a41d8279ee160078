/**
 * Probes random services and compares the result with their assumptions:
 * `node --conditions=@guild-ledger/source packages/probe/scripts/random-services.ts [static|growing|rolling|backdated] [from] [to]`.
 */
import { changes, randomService, type Change } from '../test/support/random-service.ts'
import { probeFunction, wrongIn } from '../test/support/run-probe.ts'

const [kind = 'static', from = '1', to = '100'] = process.argv.slice(2)
const change = changes.find((one): one is Change => one === kind)
const [first, last] = [Number(from), Number(to)]
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const started = performance.now()
let [wrong, decided, unexplained, unusable] = [0, 0, 0, 0]
const inference: number[] = []
const verification: number[] = []
/** Seconds of processor time. */
const processor: number[] = []
for (let seed = first; seed <= last; seed++) {
  const cpu = process.cpuUsage()
  const { assumptions, respond } = randomService(seed, change)
  const { findings, requests, unusable: why } = await probeFunction(respond)
  for (const one of wrongIn(findings, { ...assumptions })) {
    wrong++
    say(`seed ${seed}: ${one}`)
  }
  const blamed = findings.filter(({ verdict }) => verdict === 'unexplained').map(({ key }) => key)
  if (blamed.length > 0) say(`seed ${seed}: unexplained ${blamed.join(', ')}`)
  unexplained += blamed.length
  decided += findings.filter(({ verdict }) => verdict === 'decided').length
  if (why !== undefined) unusable++
  inference.push(requests.inference)
  verification.push(requests.verification)
  const { user, system } = process.cpuUsage(cpu)
  processor.push(Math.round((user + system) / 1e5) / 10)
  if ((seed - first) % 50 === 49) say(`${seed}: ${wrong} wrong, ${Math.round((performance.now() - started) / 1000)} s`)
}
const count = last - first + 1
const meanOf = (numbers: readonly number[]) =>
  Math.round((numbers.reduce((sum, one) => sum + one, 0) / count) * 10) / 10
process.stdout.write(
  `${JSON.stringify({
    kind,
    services: count,
    wrong,
    unexplained,
    unusable,
    decidedPerService: Math.round((decided / count) * 10) / 10,
    inference: { mean: meanOf(inference), most: Math.max(...inference) },
    verification: { mean: meanOf(verification), most: Math.max(...verification) },
    seconds: Math.round((performance.now() - started) / 1000),
    processor: { mean: meanOf(processor), most: Math.max(...processor) },
  })}\n`,
)
