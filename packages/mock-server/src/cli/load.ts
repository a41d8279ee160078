import { paths } from '@guild-ledger/sdk/contract'
import { readFileOf, useJson } from '@guild-ledger/validation/command-line'
import { checkedAssumptions, type Assumptions } from '../assumptions/values.ts'
import { setProcessWide } from '../assumptions/process-wide.ts'
import { createMockLedger, type MockLedger } from '../index.ts'
import { coreOf } from '../adapters/core.ts'
import type { CommandLine } from './options.ts'
import { applySetUp, type SetUpGuild } from './set-up.ts'
import { UsageError } from './flags.ts'

const toUsageError = (sentence: string, cause: unknown): UsageError => new UsageError(sentence, { cause })

const loadAssumptions = async ({ assumptions: file, assume: pairs, nameOf }: CommandLine) => {
  if (file === undefined) return pairs
  const use = (text: string) => useJson(text, (value) => checkedAssumptions(value as Partial<Assumptions>))
  return { ...(await readFileOf(nameOf('assumptions'), file, use, toUsageError)), ...pairs }
}

const loadData = async ({ data: file, nameOf }: CommandLine, { guild }: MockLedger): Promise<void> => {
  if (file !== undefined) await readFileOf(nameOf('data'), file, (text) => guild.load(text), toUsageError)
}

const setUp = async ({ setup: file, nameOf }: CommandLine, mock: MockLedger): Promise<SetUpGuild[] | undefined> => {
  if (file === undefined) return undefined
  const use = (text: string) => useJson(text, (value) => applySetUp(mock, value))
  return readFileOf(nameOf('setup'), file, use, toUsageError)
}

/** Generates transactions and builds indexes now, so that the first request need not wait. It leaves no trace. */
export const warmUp = (mock: MockLedger): void => {
  const before = mock.snapshot()
  // No test sends these requests: a sweep would count them.
  const settings = setProcessWide({})
  for (const { apiKey } of mock.guilds) mock.respond({ method: 'GET', target: paths.guild, apiKey })
  setProcessWide(settings)
  mock.restore(before)
}

export interface LoadedMock {
  readonly mock: MockLedger
  /** The guilds of a set-up file, if there is one. */
  readonly guilds: readonly SetUpGuild[] | undefined
}

/** Creates the mock that the command line describes. Its data are there when it resolves. */
export const loadMock = async (options: CommandLine, now?: () => number): Promise<LoadedMock> => {
  const { data, apiKey, rateLimit, explain = false, seed, users, nameOf } = options
  const transactions = data === undefined ? options.transactions : 0
  if (users === 0 && transactions > 0) {
    throw new UsageError(`\`${nameOf('users')}\` must be an integer ≥ 1 where there are transactions, got 0`)
  }
  const assumptions = await loadAssumptions(options)
  let mock: MockLedger
  try {
    mock = createMockLedger({ assumptions, explain, users, transactions, seed, apiKey, rateLimit, ...(now && { now }) })
  } catch (error) {
    throw new UsageError(`${nameOf('apiKey')}: ${(error as Error).message}`, { cause: error })
  }
  await loadData(options, mock)
  const guilds = await setUp(options, mock)
  // For anyone who resets the mock, what the files brought was there from the start.
  coreOf(mock).keepAsBeginning()
  warmUp(mock)
  return { mock, guilds }
}
