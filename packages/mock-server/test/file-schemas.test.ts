import { readFileSync } from 'node:fs'
import assumptionsSchema from '@guild-ledger/mock-server/assumptions.schema.json' with { type: 'json' }
import setUpSchema from '@guild-ledger/mock-server/setup.schema.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { fileSchemas } from '../scripts/file-schemas.ts'
import { fileWith, serveHere } from './cli-process.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const validator = (schema: object) => new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
/** The set-up file in the guide. */
const [, example = ''] = /```json\n(\{\n {2}"guild": [\s\S]*?)```/.exec(read('../../../docs/http-server.md')) ?? []

it.each(Object.entries(fileSchemas))('%s is up to date; if not, run pnpm docs:openapi', (name, text) => {
  expect(read(`../${name}`)).toBe(text)
})

it('setup.schema.json describes the set-up file of the guide, and rejects unknown fields at every level', () => {
  const isSetUp = validator(setUpSchema)
  const setUp = JSON.parse(example) as { guild: object }

  expect([isSetUp(setUp), isSetUp.errors]).toEqual([true, null])
  expect(isSetUp({ ...setUp, guidls: [] })).toBe(false)
  expect(isSetUp({ guild: { ...setUp.guild, asume: {} } })).toBe(false)
  expect(isSetUp({ guild: { faults: [{ kind: 'internal-eror' }] } })).toBe(false)
})

it('assumptions.schema.json has the values of each assumption', () => {
  const isAssumptions = validator(assumptionsSchema)

  expect(isAssumptions({ $schema: 'x', pageUnit: 'group', maxPage: null })).toBe(true)
  expect(isAssumptions({ pageUnit: 'groups' })).toBe(false)
  expect(isAssumptions({ pageUnits: 'group' })).toBe(false)
})

it('the command line reads files that name their schemas', async () => {
  const $schema = 'https://unpkg.com/@guild-ledger/mock-server/assumptions.schema.json'
  const assumptions = fileWith(JSON.stringify({ $schema, pageUnit: 'group' }))
  const stub = { path: '/guild/discharges', body: { $schema: 'its own' } }
  const setup = fileWith(JSON.stringify({ $schema, stubs: [stub] }))

  const { get } = await serveHere('--assumptions', assumptions, '--setup', setup)

  expect((await get(stub.path)).body).toEqual(stub.body)
})
