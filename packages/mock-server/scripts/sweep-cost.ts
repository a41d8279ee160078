import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { createVitestRunner, sweep } from '@guild-ledger/mock-server/sweep'
import { assumptionDefinitions } from '../src/assumptions/index.ts'
process.env.PLANTED_FLAKY_FILE = join(tmpdir(), `flaky-${process.pid}`)
const inner = await createVitestRunner(['--root', join(import.meta.dirname, '../test/sweep-planted'), ...process.argv.slice(3)])
const keep = new Set((process.argv[2] ?? '').split(','))
const skip = process.argv[2] === '' ? [] : Object.keys(assumptionDefinitions).filter((k) => !keep.has(k)) as never
const runner = { ...inner, async run(r: never) { const t = performance.now(); const res = await inner.run(r); console.log(JSON.stringify((r as any).assumptions), (r as any).trace ?? '', (r as any).tests?.size, Math.round(performance.now() - t), res.filter((x) => x.status==='failed'||x.status==='hung').map(x => x.name).join(';').slice(0,200)); return res } }
const t = process.cpuUsage()
const report = await sweep({ runner, skip })
console.log(report.cost, report.breaks.length, report.setAside, report.notTriedAfterHang, process.cpuUsage(t))
await inner.close()
