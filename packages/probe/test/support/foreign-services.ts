import { assume, type Assumptions } from '@guild-ledger/mock-server/assumptions'
import { foreignServices } from '../../../mock-server/test/probe/foreign-services.ts'
import { proxiedServices } from '../../../mock-server/test/probe/proxied-services.ts'
import { largeLedger, tellingLedger } from '../../../mock-server/test/probe/random-service.ts'
import { unusualServices } from '../../../mock-server/test/probe/unusual-services.ts'
import type { Respond } from './random-service.ts'

/** A service that was not written from the mock, with a behaviour that no assumption describes. */
export interface Foreign {
  readonly title: string
  /** Assumptions of which it has no value: none of them may be decided. */
  readonly without: readonly string[]
  /** Its values of the others. */
  readonly values: Readonly<Record<string, unknown>>
  readonly respond: Respond
}

/** Values that describe a service of this title. The probe of the mock server does not know them: to it, the service has none. */
const described: Readonly<Record<string, Partial<Assumptions>>> = {
  'rejects invalid parameters with 422': { invalidParameterStatus: 422 },
  'orders groups by descending id': { groupOrder: 'platform-id-descending' },
  'matches the beginning of a source': { sourceMatch: 'prefix' },
  'stores more digits of a time than it shows': { dateTimeForms: 'date' },
  'has pages of at most 50, whatever the limit': { maxLimit: 50 },
}
/** Assumptions of which these services have a value after all. */
const known: Readonly<Record<string, readonly string[]>> = {
  'rejects invalid parameters with 422': ['invalidParameter'],
  'orders groups by descending id': ['groupOrder'],
  'matches the beginning of a source': ['sourceMatch'],
}

/** All foreign services with a ledger: one that tells most values apart for 0, else a random one. */
export const foreignServicesFor = (seed: number): Foreign[] => {
  const ledger = seed === 0 ? tellingLedger(60) : largeLedger(seed)
  const defaults = { ...assume() }
  const foreign = (title: string, affected: readonly string[], own: object, respond: Respond): Foreign => ({
    title,
    without: affected.filter((key) => !known[title]?.includes(key)),
    values: { ...defaults, ...own, ...described[title] },
    respond,
  })
  return [
    ...foreignServices.map(({ title, affected, values = {}, create }) =>
      foreign(title, affected, values, create([...ledger], { ...defaults, ...values })),
    ),
    ...proxiedServices.map(({ title, affected, create }) =>
      foreign(title, affected, {}, create([...ledger], defaults)),
    ),
    ...unusualServices.map(({ title, without, values = {}, Service }) => {
      const service = new Service(ledger, { ...defaults, ...values })
      const respond: Respond = (target) => {
        const { status, body, ...rest } = service.respond(target)
        return { status, body: JSON.stringify(body), ...rest }
      }
      return foreign(title, without, values, respond)
    }),
  ]
}
