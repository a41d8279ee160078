import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { assumptionRows, type AssumptionKey } from '../../assumptions/index.ts'
import type { Ledger } from '../../mock-ledger/index.ts'
import { named, type Verb, type Verbs } from '../verb.ts'

const rowsInForce = ({ assumptions }: Ledger) =>
  Object.fromEntries(
    Object.entries(assumptionRows).map(([key, row]) => [key, { ...row, inForce: assumptions[key as AssumptionKey] }]),
  )

const rows = { is: 'Every assumption of the mock, by its name.', schema: named('AssumptionRows') }

/** A description that a package ships, read when it is first asked for. */
const shipped = (id: string, summary: string, file: string): Verb => {
  let description: unknown
  return {
    id,
    summary,
    does: [],
    replies: { is: 'The description.', schema: { type: 'object' } },
    run: () => (description ??= JSON.parse(readFileSync(createRequire(import.meta.url).resolve(file), 'utf8'))),
  }
}

/** What there is to know. */
export const descriptionVerbs: Verbs = {
  '/_mock/assumptions': {
    GET: {
      id: 'listAssumptions',
      summary: 'What the document leaves open, the readings there are, and those of the mock',
      does: ['mock.assumptions'],
      replies: rows,
      run: ({ mock }) => rowsInForce(mock),
    },
    PATCH: {
      id: 'changeAssumptions',
      summary: 'Takes other readings, for every guild that has none of its own and for keys that are bound to none',
      does: ['mock.assume'],
      takes: {
        json: { is: 'Those to change; the others stay.', schema: named('AssumptionChanges') },
        example: { pageUnit: 'group' },
      },
      replies: rows,
      run({ mock, body }) {
        mock.assume(body as object)
        return rowsInForce(mock)
      },
    },
  },
  '/_mock/openapi.json': {
    GET: shipped('describeService', 'The service in OpenAPI 3.1', '@guild-ledger/sdk/openapi.json'),
  },
  '/_mock/admin.openapi.json': {
    GET: shipped('describeAdmin', 'The admin API in OpenAPI 3.1', '@guild-ledger/mock-server/admin.openapi.json'),
  },
}
