import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { happens, observed, planted } from './planted.ts'

/** A test runner's `it`. */
type It = (name: string, run: () => void | Promise<void>) => void

const must = (holds: boolean, message: string): void => {
  if (!holds) throw new Error(message)
}

const hanging = {
  steps: [{ get: '/guild/ledger/u1/transactions' }],
  pick: 'body.data.transactions.*.createdAt',
  forbid: ['2026-01-01T00:00:03Z'],
}

/** Defines all planted tests. `flakyFile` makes a test fail in each second run; another test takes `hangMs`. */
export const definePlanted = (it: It, flakyFile = join(tmpdir(), `planted-${process.ppid}`), hangMs = 3000): void => {
  for (const probe of planted.singles)
    it(`depends on ${probe.value}`, () => must(!happens(probe), `got ${JSON.stringify(observed(probe))}`))
  for (const probe of planted.robust) it(`is ${probe.name}`, () => must(!happens(probe), 'got a 500'))
  for (const { values, all } of planted.pairs)
    it(`depends on ${values.join(' and ')}`, () => must(!all.every(happens), 'got both'))
  it('is pinned', () => {
    const [probe] = planted.singles
    must(probe !== undefined && !happens({ ...probe, assumptions: { pageUnit: 'transaction' } }), 'the pin is ignored')
  })
  it('hangs', async () => {
    // It ends, because some test runners wait for a test that they have given up.
    for (let ms = 0; ms < hangMs && happens(hanging); ms += 25) await new Promise((resolve) => setTimeout(resolve, 25))
  })
  it('is flaky', () => {
    happens(hanging)
    const fails = existsSync(flakyFile)
    if (fails) rmSync(flakyFile)
    else writeFileSync(flakyFile, '')
    must(!fails, 'failed at random')
  })
}
