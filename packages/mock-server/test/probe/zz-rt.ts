import { randomService } from '/work/wt-probe/packages/mock-server/test/probe/random-service.ts'
import { infer } from '/work/wt-probe/packages/mock-server/src/probe/infer.ts'
import { verdictsOf, decidedIn } from '/work/wt-probe/packages/mock-server/src/probe/verdicts.ts'
import { targetOf } from '/work/wt-probe/packages/mock-server/src/probe/model/question.ts'
const [from, to, verbose] = process.argv.slice(2)
let wrong = 0, total = 0, reqs: number[] = [], decided = 0, all = 0, ms = 0, svc = 0, outs = 0
const undec: Record<string, number> = {}
for (let seed = Number(from); seed < Number(to); seed++) {
  const { mock, assumptions, transactions } = randomService(seed)
  let n = 0, pass = 0
  const log: string[] = []
  const send = async (q: any) => {
    const t = performance.now()
    n++
    if (n > 400) throw new Error('too many ' + seed)
    const r = mock.respond({ method: 'GET', target: targetOf(q), apiKey: mock.apiKey })
    const raw = { status: r.status, headers: r.headers, body: JSON.parse(r.body) }
    if (verbose) console.error(log.length, r.status, targetOf(q)), log.push(`${r.status} ${targetOf(q)}`)
    svc += performance.now() - t
    return raw
  }
  const t = performance.now()
  const c0 = process.cpuUsage()
  let inf
  try { inf = await infer(send) } catch (e) { console.log('seed', seed, e); if (verbose) console.log(log.join('\n')); wrong++; continue }
  const vs = verdictsOf(inf)
  ms += performance.now() - t
  const passN = Math.ceil(transactions.length / 100) || 1
  reqs.push(n - passN)
  for (const v of vs) {
    all++
    if (v.verdict === 'decided') { decided++; if ((assumptions as any)[v.key] !== v.value) { wrong++; console.log('WRONG', seed, v, (assumptions as any)[v.key]) } }
    else {
      undec[v.key + ' ' + v.verdict] = (undec[v.key + ' ' + v.verdict] ?? 0) + 1
      if (process.env.SHOW && v.key === process.env.SHOW && transactions.length > 60) console.log('SHOW', seed, transactions.length, JSON.stringify(v), (assumptions as any)[v.key], inf.knowledge.space.domains.get(v.key)?.slice(0, 9).join('/'), inf.tracker.copy.hiddenMs)
      if (v.verdict === 'outside') { outs++; console.log('OUTSIDE', seed, JSON.stringify(v), (assumptions as any)[v.key]) }
    }
  }
  if (inf.conflicts.length) console.log('CONFLICT', seed, inf.conflicts.slice(0, 3).map((c) => [targetOf(c.evidence.question), c.aspect, c.observed.slice(0, 60), c.variables.join()]))
  if (verbose) { console.log(log.join('\n')); console.log(vs.map(v => `${v.key} ${v.verdict} ${v.value ?? v.candidates.slice(0,5)} | ${(assumptions as any)[v.key]} | ${[...inf.knowledge.space.domains].filter(([k])=>k.split('.')[0]===v.key).map(([,x])=>x.slice(0,9).join('/')).join(' ; ')}`).join('\n')); console.log(transactions.length, 'order', inf.knowledge.order.tieChance, inf.knowledge.order.userChance) }
}
reqs.sort((a, b) => a - b)
console.log({ wrong, outs, mean: reqs.reduce((s, x) => s + x, 0) / reqs.length, most: reqs.at(-1), p90: reqs[Math.floor(reqs.length * .9)], share: decided / all, cpuEach: (process.cpuUsage().user+process.cpuUsage().system)/1000 / reqs.length, msEach: ms / reqs.length, svcEach: svc / reqs.length })
console.log(undec)
