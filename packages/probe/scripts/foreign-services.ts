/**
 * Probes services that no values describe. Prints what is decided although it must not be, sentences of the report that are false, in how many random requests a
 * mock made from the report responds otherwise, and how many nights of a growing ledger are not green. Ledger 0 tells most
 * values apart, the others are random. `module` has other services: its default export makes them for a ledger.
 * `node --conditions=@guild-ledger/source packages/probe/scripts/foreign-services.ts [ledger] [nights] [module] [first] [last]`.
 */
import { pathToFileURL } from 'node:url'
import { exitCodeOf, expectationFrom } from '../src/report/changes.ts'
import { compareWithMock, invalidRequests, randomRequests } from '../test/support/compare-with-mock.ts'
import { falseSentencesIn } from '../test/support/false-sentences.ts'
import { foreignServicesFor, ledgerOf, type Foreign } from '../test/support/foreign-services.ts'
import { probedFunction, wrongIn } from '../test/support/run-probe.ts'

const [seed = '0', nights = '0', module, first = '0', last = 'Infinity'] = process.argv.slice(2)
const servicesFor: typeof foreignServicesFor = module
  ? (await import(pathToFileURL(module).href)).default
  : foreignServicesFor
const ledger = ledgerOf(Number(seed))
const requests = [...randomRequests(ledger, 1, 200), ...invalidRequests(ledger, 1, 50)]
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const totals = { services: 0, wrong: 0, different: 0, compared: 0, silent: 0, red: 0, checked: 0, unshown: 0, false: 0 }

/** Whether what is decided is what the service does. */
const mistakesIn = ({ without, values }: Foreign, findings: Parameters<typeof wrongIn>[0]): string[] => {
  const own = findings.filter(({ key }) => without.includes(key))
  const others = findings.filter(({ key }) => !without.includes(key) && key in values)
  const decided = own.filter(({ verdict, except = [] }) => verdict === 'decided' && except.length === 0)
  return [
    ...wrongIn(others, values),
    ...decided.map(({ key, value }) => `${key}: decided ${String(value)}, has no value`),
  ]
}

/** The exit codes of probes of a service whose ledger grows from night to night, each compared with the first. */
const nightsOf = async (index: number): Promise<number[]> => {
  const respondAt = (night: number) => servicesFor(ledger.slice(0, ledger.length - Number(nights) + night))[index]
  const probeAt = async (night: number, expected = expectationFrom({ findings: [], inexplicable: [], kinds: [] })) => {
    const { report } = await probedFunction(respondAt(night)?.respond ?? (() => ({ status: 500, body: '' })), {
      maxRequests: 150,
      expected,
    })
    return report
  }
  const expected = expectationFrom(await probeAt(0))
  const codes: number[] = []
  for (let night = 1; night <= Number(nights); night++) codes.push(exitCodeOf(await probeAt(night, expected), expected))
  return codes
}

for (const [index, service] of servicesFor(ledger).entries()) {
  if (index < Number(first) || index > Number(last)) continue
  const { title, without, respond } = service
  const probed = await probedFunction(respond, { maxRequests: 150 }).catch((error: unknown) => String(error))
  totals.services++
  if (typeof probed === 'string') {
    say(`${index} ${title}: ${probed}`)
    continue
  }
  const {
    findings,
    requests: { sent },
    inexplicable,
    kinds,
    comparison,
    unusable,
  } = probed.report
  const mistakes = mistakesIn(service, findings)
  const { compared, different } = compareWithMock(probed, respond, requests)
  const red = Number(nights) > 0 ? (await nightsOf(index)).filter((code) => code !== 0) : []
  const unexplained = findings.flatMap(({ key, verdict, value }) =>
    verdict === 'unexplained' ? [value === undefined ? key : `${key} (nearest ${String(value)})`] : [],
  )
  totals.wrong += mistakes.length
  totals.different += different.length
  totals.compared += compared
  const sentences = falseSentencesIn(probed, service, requests)
  totals.checked += sentences.checked
  totals.unshown += sentences.unshown
  totals.false += sentences.found.length
  for (const one of sentences.found) say(`FALSE ${index} ${title}: ${one}`)
  totals.red += red.length
  if (unexplained.length + inexplicable.length + kinds.length === 0 && without.length > 0) totals.silent++
  for (const one of mistakes) say(`WRONG ${index} ${title}: ${one}`)
  for (const one of different.slice(0, 3)) say(`DIFFERENT ${index} ${title}: ${one}`)
  if (red.length > 0) say(`RED ${index} ${title}: ${red.join(', ')}`)
  const decided = findings.filter(({ verdict }) => verdict === 'decided').length
  const names = kinds.map(({ kind }) => kind).join(', ')
  say(
    `${index} ${title}: ${sent} requests, ${decided} decided, unexplained [${unexplained.join(', ')}] [${names}] (${inexplicable.length} inexplicable), ${Object.values(comparison).join('/')}, ${different.length} of ${compared} different${unusable ? `, ${unusable}` : ''}`,
  )
}
say(JSON.stringify(totals))
