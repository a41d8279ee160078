/**
 * Counts how many of the requests of a probe were necessary, once their responses are known:
 * `node … probe-fewest-requests.ts [from] [to]`. It leaves out each request without which the others still show the same.
 */
import { createKnowledge, type Evidence } from '../src/probe/knowledge.ts'
import { excludeByOrder } from '../src/probe/exclude-by-order.ts'
import type { Inference } from '../src/probe/learn.ts'
import { randomService } from '../test/probe/random-service.ts'
import { inferFrom, respondFrom } from '../test/probe/run-inference.ts'

/** What some responses show. */
const shownBy = (evidence: readonly Evidence[], inference: Inference): string => {
  const knowledge = createKnowledge()
  knowledge.knownPage = inference.knowledge.knownPage
  const maxPage = inference.knowledge.space.domains.get('maxPage') ?? []
  // A number was found by other requests, which are no evidence.
  if (maxPage.length === 1 && typeof maxPage[0] === 'number') knowledge.replace('maxPage', maxPage)
  for (const one of evidence) knowledge.add(one, true)
  excludeByOrder({ ...inference, knowledge, conflicts: [] })
  return JSON.stringify([...knowledge.space.domains])
}

const [from = 0, to = 60] = process.argv.slice(2).map(Number)
let [sent, others, necessary] = [0, 0, 0]
for (let seed = from; seed < to; seed++) {
  const { mock } = randomService(seed)
  const { inference, targets } = await inferFrom(respondFrom(mock), 400)
  const { evidence } = inference.knowledge
  const { pages } = inference.progress
  const all = shownBy(evidence, inference)
  let needed = [...evidence]
  for (const one of evidence.slice(pages).toReversed()) {
    const rest = needed.filter((other) => other !== one)
    if (shownBy(rest, inference) === all) needed = rest
  }
  sent += targets.length - pages
  others += targets.length - evidence.length
  necessary += needed.length - pages
}
const mean = (sum: number): string => (sum / (to - from)).toFixed(1)
process.stdout.write(
  `${to - from} services: ${mean(sent)} requests beyond one pass; necessary: ${mean(necessary)}, and ${mean(others)} ` +
    'that look for the largest page or repeat a request\n',
)
