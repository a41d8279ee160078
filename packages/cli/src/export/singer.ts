import type { Checkpoint, LedgerEntry } from '@guild-ledger/sdk'
import { isObject } from '@guild-ledger/validation'
import { usageError } from '../exit.ts'
import { toJson } from '../files.ts'
import { amounts, columns } from './tally.ts'

const stream = 'transactions'
const keys = ['platformId', 'transactionId'] as const

const propertyOf = (name: (typeof columns)[number]) => {
  if ((amounts as readonly string[]).includes(name)) return { type: 'number' }
  return name === 'createdAt' ? { type: 'string', format: 'date-time' } : { type: 'string' }
}

const schemaOf = (names: readonly (typeof columns)[number][]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, propertyOf(name)])),
  required: names,
})

const isKey = (name: string): boolean => (keys as readonly string[]).includes(name)

/** What `--discover` prints: the one stream, with every field selected. */
export const singerCatalog = () => ({
  streams: [
    {
      tap_stream_id: stream,
      stream,
      key_properties: keys,
      schema: schemaOf(columns),
      metadata: [
        {
          breadcrumb: [],
          metadata: {
            inclusion: 'available',
            selected: true,
            'table-key-properties': keys,
            'forced-replication-method': 'INCREMENTAL',
            'valid-replication-keys': ['createdAt'],
          },
        },
        ...columns.map((name) => ({
          breadcrumb: ['properties', name],
          metadata: { inclusion: isKey(name) ? 'automatic' : 'available', selected: true },
        })),
      ],
    },
  ],
})

type Part = Readonly<Record<string, unknown>>

const partsOf = (list: unknown): readonly Part[] => {
  if (Array.isArray(list) && list.every(isObject)) return list as readonly Part[]
  throw usageError('--catalog must have the form of what --discover prints')
}

/** The fields that a catalog selects; undefined where it does not select the stream. */
export const selectedColumns = (catalog: Part | undefined): readonly (typeof columns)[number][] | undefined => {
  if (!catalog) return columns
  const { metadata } = partsOf(catalog.streams).find((one) => one.tap_stream_id === stream) ?? {}
  const isSelected = (...breadcrumb: readonly string[]) => {
    const found = partsOf(metadata).find((one) => String(one.breadcrumb) === String(breadcrumb))
    return (found?.metadata as Part | null | undefined)?.selected
  }
  if (!metadata || isSelected() === false) return undefined
  return columns.filter((name) => isKey(name) || isSelected('properties', name) !== false)
}

const line = (message: object): string => `${toJson(message)}\n`

/** Messages of the protocol for the fields that are selected. */
export const singerMessages = (names: readonly (typeof columns)[number][]) => ({
  head: line({
    type: 'SCHEMA',
    stream,
    schema: schemaOf(names),
    key_properties: keys,
    bookmark_properties: ['createdAt'],
  }),
  format: (entry: LedgerEntry): string =>
    line({ type: 'RECORD', stream, record: Object.fromEntries(names.map((name) => [name, entry[name]])) }),
  mark: (checkpoint: Checkpoint): string => line({ type: 'STATE', value: { bookmarks: { [stream]: { checkpoint } } } }),
})

/** The checkpoint in what the runner kept; undefined on the first run. */
export const checkpointIn = (state: Record<string, unknown>, path: string): unknown => {
  if (!isObject(state.bookmarks) && Object.keys(state).length > 0)
    throw usageError(`--state ${path} has no \`bookmarks\`: it must be the \`value\` of a STATE message`)
  const bookmark = isObject(state.bookmarks) ? (state.bookmarks as Record<string, unknown>)[stream] : undefined
  return isObject(bookmark) ? (bookmark as Record<string, unknown>).checkpoint : undefined
}
