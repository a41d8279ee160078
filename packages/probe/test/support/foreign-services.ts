import { assume } from '@guild-ledger/mock-server/assumptions'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { inventedServices } from './invented-services.ts'
import { oracleServices, type OracleService } from './oracle-services.ts'
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

/** A ledger by its number: 0 is one of 60 that tells most values apart, -150 is one of 150, and the others are random. */
export const ledgerOf = (seed: number): LedgerEntry[] => (seed <= 0 ? tellingLedger(-seed || 60) : largeLedger(seed))

const services: readonly OracleService[] = [
  ...oracleServices,
  ...proxiedServices,
  ...inventedServices,
  ...unusualServices.map(({ Service, ...more }) => ({
    ...more,
    create(ledger: LedgerEntry[], values: Record<string, unknown>): Respond {
      const service = new Service(ledger, values)
      return (target) => {
        const { body, ...rest } = service.respond(target)
        return { ...rest, body: JSON.stringify(body) }
      }
    },
  })),
]

/** All foreign services with a ledger. Each is made when it is first asked. */
export const foreignServicesFor = (ledger: readonly LedgerEntry[]): Foreign[] =>
  services.map(({ title, without, values: other, described, create }) => {
    const values = { ...assume(), ...other }
    let service: Respond | undefined
    const respond: Respond = (target) => (service ??= create([...ledger], values))(target)
    return { title, without, values: { ...values, ...described }, respond }
  })
