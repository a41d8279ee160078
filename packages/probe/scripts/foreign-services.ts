/**
 * Probes services that no values describe, and prints what is decided although it must not be. The numbers are ledgers: 0
 * is one that tells most values apart, the others are random:
 * `node --conditions=@guild-ledger/source packages/probe/scripts/foreign-services.ts [from] [to]`.
 */
import { foreignServicesFor } from '../test/support/foreign-services.ts'
import { probeFunction, wrongIn } from '../test/support/run-probe.ts'

const [from = '1', to = '1'] = process.argv.slice(2)
const say = (line: string): void => void process.stdout.write(`${line}\n`)
let [services, wrong, silent] = [0, 0, 0]
for (let seed = Number(from); seed <= Number(to); seed++) {
  for (const { title, without, values, respond } of foreignServicesFor(seed)) {
    const report = await probeFunction(respond, { maxRequests: 150 }).catch((error: unknown) => String(error))
    if (typeof report === 'string') {
      say(`seed ${seed}, ${title}: ${report}`)
      continue
    }
    const { findings, requests, inexplicable } = report
    const isOwn = (key: string) => without.includes(key)
    const mistakes = [
      ...wrongIn(findings, values).filter((one) => !isOwn(one.split(':')[0] ?? '')),
      ...findings.flatMap(({ key, verdict, value }) =>
        isOwn(key) && verdict === 'decided' ? [`${key}: decided ${String(value)}, has no value`] : [],
      ),
    ]
    const unexplained = findings.filter(({ verdict }) => verdict === 'unexplained').map(({ key }) => key)
    services++
    wrong += mistakes.length
    if (unexplained.length + inexplicable.length === 0 && without.length > 0) silent++
    for (const one of mistakes) say(`WRONG seed ${seed}, ${title}: ${one}`)
    say(
      `seed ${seed}, ${title}: ${requests.sent} requests, unexplained ${unexplained.join(', ')} (${inexplicable.length} inexplicable)`,
    )
  }
}
say(JSON.stringify({ services, wrong, silent }))
