import { assume } from '@guild-ledger/mock-server/assumptions'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createDice, randomTransactions, type Respond } from '../support/random-service.ts'
import { foreignServices } from './foreign-services.ts'
import { proxiedServices } from './proxied-services.ts'
import { unusualServices } from './unusual-services.ts'

/** A service that was not written from the mock, with a behaviour that no assumption describes. */
export interface Foreign {
  readonly title: string
  /** Assumptions of which it has no value: none of them may be decided. */
  readonly without: readonly string[]
  /** Its values of the others. */
  readonly values: Readonly<Record<string, unknown>>
  readonly respond: Respond
}

/** A ledger that tells most values apart. */
const ledgerOf = (seed: number): LedgerEntry[] => {
  for (let attempt = 0; ; attempt++) {
    const entries = randomTransactions(createDice(seed * 1000 + attempt), 200)
    if (entries.length >= 60 && new Set(entries.map(({ platformId }) => platformId)).size >= 4) return entries
  }
}

/** All foreign services with a random ledger. */
export const foreignServicesFor = (seed: number): Foreign[] => {
  const ledger = ledgerOf(seed)
  const defaults = { ...assume() }
  return [
    ...foreignServices.map(({ title, affected, values: own = {}, create }) => {
      const values = { ...defaults, ...own }
      return { title, without: affected, values, respond: create([...ledger], values) }
    }),
    ...proxiedServices.map(({ title, affected, values = {}, create }) => ({
      title,
      without: affected,
      values: { ...defaults, ...values },
      respond: create([...ledger], defaults),
    })),
    ...unusualServices.map(({ title, without, values: own = {}, Service }) => {
      const values = { ...defaults, ...own }
      const service = new Service(ledger, values)
      const respond: Respond = (target) => {
        const { status, body, ...rest } = service.respond(target)
        return { status, body: JSON.stringify(body), ...rest }
      }
      return { title, without, values, respond }
    }),
  ]
}
