import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { formatUnknownName } from '@guild-ledger/validation'
import { flagOf, usageError } from '../exit.ts'
import { readJson } from '../files.ts'
import { parseFilter, watchFilterNames, type ClientFlags, type FilterFlags, type FilterName } from '../flags.ts'
import type { Format } from './receipt.ts'

/** Options of `export`. */
export interface ExportFlags extends ClientFlags, FilterFlags {
  readonly format?: Format
  readonly out?: string
  readonly force?: boolean
  readonly state?: string
  readonly full?: boolean
  readonly receipt?: string
  readonly check?: string
  readonly days?: number
  readonly timeZone?: string
  readonly excel?: boolean
  readonly config?: string
  readonly catalog?: string
  readonly discover?: boolean
  readonly retryFor: number
}

type FlagName = Exclude<keyof ExportFlags, 'retryFor'>

/** Options that go with some formats only. */
const formatsOf: { readonly [Name in FlagName]?: readonly Format[] } = {
  startDate: ['csv', 'ndjson', 'sqlite'],
  endDate: ['csv', 'ndjson', 'sqlite'],
  days: ['csv', 'ndjson', 'sqlite'],
  state: ['ndjson', 'sqlite', 'singer'],
  full: ['ndjson', 'sqlite'],
  excel: ['csv'],
  config: ['singer'],
  catalog: ['singer'],
  discover: ['singer'],
}

/** Pairs of options of which the first one needs the second, or excludes it. */
const needs = [
  ['full', 'state'],
  ['timeZone', 'days'],
] as const satisfies readonly (readonly [FlagName, FlagName])[]
const excludes = [
  ['startDate', 'days'],
  ['endDate', 'days'],
  ['state', 'startDate'],
  ['state', 'endDate'],
  ['state', 'days'],
  ['receipt', 'catalog'],
] as const satisfies readonly (readonly [FlagName, FlagName])[]

/** Rejects options that do not go together. */
export const checkFlags = (flags: ExportFlags, format: Format): void => {
  for (const [name, allowed] of Object.entries(formatsOf) as [FlagName, readonly Format[]][])
    if (flags[name] !== undefined && !allowed.includes(format))
      throw usageError(`${flagOf(name)} does not go with --format ${format}, only with ${allowed.join(', ')}.`)
  for (const [name, needed] of needs)
    if (flags[name] !== undefined && flags[needed] === undefined)
      throw usageError(`${flagOf(name)} needs ${flagOf(needed)}.`)
  for (const [name, other] of excludes)
    if (flags[name] !== undefined && flags[other] !== undefined)
      throw usageError(`${flagOf(name)} does not go with ${flagOf(other)}.`)
  if (flags.out === undefined && (format === 'sqlite' || (format === 'ndjson' && flags.state !== undefined)))
    throw usageError(`--out is missing: --format ${format} ${flags.state ? 'with --state ' : ''}writes to a file.`)
  const paths = [flags.out, flags.state, flags.receipt].flatMap((path) => (path === undefined ? [] : [resolve(path)]))
  if (new Set(paths).size < paths.length) throw usageError('--out, --state and --receipt must be different files.')
  for (const name of ['out', 'receipt'] as const) {
    const path = flags[name]
    if (path !== undefined && !(existsSync(path) ? statSync(path).isFile() : existsSync(dirname(path))))
      throw usageError(`${flagOf(name)} ${path} must be a file in a folder that exists.`)
  }
  if (flags.out === undefined || !existsSync(flags.out)) return
  if (!flags.force && !(flags.state !== undefined && existsSync(flags.state)))
    throw usageError(
      `--out ${flags.out} exists: --force overwrites it${format === 'csv' ? '' : ', --state continues what it began'}.`,
    )
}

/** What a Singer runner configures: options of this program, by their names in its files. */
export const configuredFlags = async (path: string | undefined): Promise<Partial<ExportFlags>> => {
  if (path === undefined) return {}
  const { api_key_env: apiKeyEnv, base_url: baseUrl, ...filters } = await readJson('--config', path)
  const parsed = Object.entries(filters).map(([name, value]) => {
    if (!watchFilterNames.includes(name as FilterName))
      throw usageError(
        `--config ${path}: ${formatUnknownName('field', name, ['api_key_env', 'base_url', ...watchFilterNames])}`,
      )
    try {
      return [name, parseFilter(name as FilterName, String(value), name)]
    } catch (error) {
      throw usageError(`--config ${path}: ${(error as Error).message}`)
    }
  })
  return {
    ...Object.fromEntries(parsed),
    ...(typeof apiKeyEnv === 'string' && { apiKeyEnv }),
    ...(typeof baseUrl === 'string' && { baseUrl }),
  }
}
