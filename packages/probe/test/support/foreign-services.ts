import { assume } from '@guild-ledger/mock-server/assumptions'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { oracleServices } from './oracle-services.ts'
import { proxiedServices } from './proxied-services.ts'
import { largeLedger, tellingLedger, type Respond } from './random-service.ts'
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

/** A ledger by its number: 0 is one that tells most values apart, the others are random. */
export const ledgerOf = (seed: number): LedgerEntry[] => (seed === 0 ? tellingLedger(60) : largeLedger(seed))

/** Makes a service when it is first asked: a list of services need not keep all of them. */
const onDemand = (create: () => Respond): Respond => {
  let respond: Respond | undefined
  return (target) => (respond ??= create())(target)
}

/** All foreign services with a ledger. */
export const foreignServicesFor = (ledger: readonly LedgerEntry[]): Foreign[] => {
  const defaults = { ...assume() }
  return [
    ...[...oracleServices, ...proxiedServices].map(({ title, without, values = {}, described = {}, create }) => ({
      title,
      without,
      values: { ...defaults, ...values, ...described },
      respond: onDemand(() => create([...ledger], { ...defaults, ...values })),
    })),
    ...unusualServices.map(({ title, without, values: own = {}, Service }) => {
      const values = { ...defaults, ...own }
      const create = (): Respond => {
        const service = new Service([...ledger], values)
        return (target) => {
          const { status, body, ...rest } = service.respond(target)
          return { status, body: JSON.stringify(body), ...rest }
        }
      }
      return { title, without, values, respond: onDemand(create) }
    }),
  ]
}
