import { assume, type AssumptionKey, type ModelRequest } from '@guild-ledger/mock-server/assumptions'
import { agreesIn, Aspects, aspects, aspectsOf, aspectsOfOrder, isSameIn, parts } from '../../src/infer/aspects.ts'
import { Copy } from '../../src/infer/copy.ts'
import { inferable, leastOf, valuesOf, type Solution, type Value } from '../../src/infer/domains.ts'
import { kindsOf, nameOf } from '../../src/infer/kinds.ts'
import { failingIn } from '../../src/infer/observation.ts'
import { targetOf } from '../../src/read/service.ts'
import type { Finding, Probed } from '../../src/types.ts'
import type { Foreign } from './foreign-services.ts'

const mostWords = 20

/** A sentence of `needs`, and whether it is true; `undefined` where no request can show it. */
type Check = (match: RegExpExecArray, finding: Finding) => boolean | undefined

/**
 * Checks what a report says of a service against what the service responds to some requests. Returns what is false, with how
 * many sentences were checked, and how many no request can show.
 */
export const falseSentencesIn = (
  { report, entries }: Probed,
  { without, values, respond }: Foreign,
  requests: readonly ModelRequest[],
) => {
  const copy = new Copy(entries)
  const real: Solution = { ...assume(values), ...report.values }
  const responseTo = (request: ModelRequest): Aspects => {
    const { status, body } = respond(targetOf(request))
    return new Aspects(status, JSON.parse(body))
  }
  const responses = requests.map((request) => ({
    request,
    observed: responseTo(request),
    copies: [copy],
    kinds: kindsOf(request).map(nameOf),
  }))
  const isLike = (one: (typeof responses)[number], solution: Solution): boolean =>
    parts.every((part) => failingIn(one, part, solution).length === 0)
  /** Whether the service contradicts itself: then no value explains it. */
  const isUnsteady = requests.some((request) => {
    const [one, other] = [responseTo(request), responseTo(request)]
    return aspects.some((aspect) => !aspectsOfOrder.has(aspect) && !isSameIn(aspect, one, other))
  })
  const truthOf = (key: AssumptionKey): unknown => (without.includes(key) ? undefined : values[key])

  /** Whether two values of an assumption lead to another response in something that is known. */
  const areApart = (key: AssumptionKey, a: Value, b: Value): boolean =>
    requests.some((request) =>
      parts.some((part) => {
        const [one, other] = [
          { ...real, [key]: a },
          { ...real, [key]: b },
        ]
        const { expected, reads } = copy.predict(request, one, part)
        if (!reads.includes(key) || reads.some((read) => without.includes(read))) return false
        const differing = aspectsOf[part].filter(
          (aspect) => !agreesIn(aspect, expected, copy.predict(request, other, part).expected),
        )
        return copy.shown(request, other, part, copy.shown(request, one, part, differing)).length > 0
      }),
    )
  const areAlike = ({ key, candidates: [first = null, ...others] }: Finding): boolean | undefined =>
    leastOf(key) === undefined ? others.every((value) => !areApart(key, first, value)) : undefined

  const unexplained = new Set([
    ...report.findings.flatMap(({ key, verdict }) => (verdict === 'unexplained' ? [key] : [])),
    ...report.kinds.map(({ kind }) => kind),
    ...report.inexplicable.map(({ aspect }) => aspect),
  ])
  const users = entries.map(({ platformId }) => platformId)
  const checks: readonly (readonly [RegExp, Check])[] = [
    [
      /^It cannot be decided while (.*) (?:is|are) unexplained/,
      ([, names = '']) => names.split(' and ').every((name) => unexplained.has(name)),
    ],
    [
      /^With (\w+)=(\S+), no response shows it/,
      ([, other = '', value], finding) => {
        const truth = truthOf(other as AssumptionKey)
        return truth === undefined ? undefined : `${truth as Value}` === value && areAlike(finding)
      },
    ],
    [/^This ledger cannot tell .* apart/, (_, finding) => areAlike(finding)],
    [/^A source of several words/, () => entries.every(({ source }) => !/\w\W+\w/.test(source))],
    [/^A user with two transactions/, () => new Set(users).size === users.length],
    [/^The ledger has no transactions/, () => users.length === 0],
    [/^The limit of requests was reached/, () => report.requests.sent >= report.requests.limit - 5],
    [
      /^(?:No response shows it: the other|A ledger whose order|A service that stores|Names of|Users whose)/,
      () => undefined,
    ],
  ]

  const found: string[] = []
  const counts = { checked: 0, unshown: 0 }
  const claim = (text: string, isTrue: boolean | undefined): void => {
    if (isTrue === undefined) counts.unshown++
    else counts.checked++
    if (isTrue === false) found.push(text)
  }

  for (const finding of report.findings.filter(({ key }) => inferable.includes(key))) {
    const { key, verdict, value, candidates, needs, except = [] } = finding
    const truth = truthOf(key)
    const isNumber = leastOf(key) !== undefined
    if (verdict === 'decided')
      claim(`${key} is ${String(value)}`, truth === undefined ? except.length > 0 : value === truth)
    else if (verdict === 'unexplained') claim(`${key} is unexplained`, truth === undefined || isUnsteady)
    else
      claim(
        `${key} is one of ${candidates.join(', ')}`,
        truth === undefined ? undefined : isNumber || candidates.includes(truth as Value),
      )
    for (const name of except) claim(`${key} is another for ${name}`, unexplained.has(name))
    if (verdict === 'unexplained' && value !== undefined) {
      const countOf = (one: Value) => responses.filter((response) => isLike(response, { ...real, [key]: one })).length
      const counted = [...new Set([...valuesOf(key), value])].map((one) => [one, countOf(one)] as const)
      const most = Math.max(...counted.map(([, count]) => count))
      claim(`${value} is nearest of ${key}: ${counted.map((one) => one.join(' ')).join(', ')}`, countOf(value) === most)
    }
    if (needs === undefined || report.unusable !== undefined) continue
    claim(`${key}: more than ${mostWords} words: ${needs}`, needs.split(' ').length <= mostWords)
    const check = checks.map(([pattern, isTrue]) => ({ match: pattern.exec(needs), isTrue })).find(({ match }) => match)
    claim(`${key}: ${needs}`, check?.match ? check.isTrue(check.match, finding) : false)
  }
  for (const { kind } of report.kinds) {
    const own = responses.filter(({ kinds }) => kinds.includes(kind))
    const isOther = own.some((one) => !isLike(one, real))
    claim(`${kind} is treated in another way`, own.length === 0 ? undefined : isOther)
  }
  for (const { aspect } of report.inexplicable) {
    const isOther = responses.some((one) =>
      parts.some((part) => failingIn(one, part, real, [aspect as never]).length > 0),
    )
    claim(`${aspect} is inexplicable`, isOther)
  }
  return { ...counts, found }
}
