/**
 * Fixtures for Vitest: a mock for each file, a guild and a client for each test.
 *
 * @module @guild-ledger/mock-server/vitest
 */
// By its public name, so that Vitest's browser mode gets the entry for browsers.
import { createMockLedger, type GuildOptions, type MockLedger, type MockLedgerOptions } from '@guild-ledger/mock-server'
import { GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { test as base, type TestAPI } from 'vitest'
import { attachToFailure, formatUnusedFaults, prepareReport, type OnUnusedFault } from './failure-report.ts'

/** What the tests of a file share. */
export interface FileFixtures {
  /** The mock that the guilds of all tests of a file belong to. Its first guild has no transactions by default. */
  readonly mock: MockLedger
  /**
   * Options of `mock`. Change them with `test.extend`.
   *
   * @default { transactions: 0, rateLimit: 'off' }
   */
  readonly mockOptions: MockLedgerOptions
}

/** What each test has for itself. */
export interface TestFixtures {
  /** A guild of its own: transactions, keys, faults, rate limit and log. It is removed after the test. */
  readonly guild: MockLedger['guild']
  /**
   * Options of `guild`. Change them with `test.extend`, or with `test.override` inside of `describe`.
   *
   * @default { seed: 1, transactions: 0 }
   */
  readonly guildOptions: GuildOptions
  /**
   * What to do about a fault of `guild` that never happened in a test that passes: print it, fail the test, or nothing.
   * Faults with a `probability` do not count. Change it with `test.extend`, or with `test.override` inside of `describe`.
   *
   * @default 'warn'
   */
  readonly onUnusedFault: OnUnusedFault
  /** A client that is connected to `guild` and waits for nothing in real time. It is closed after the test. */
  readonly ledger: GuildLedger
  /**
   * Options of `ledger`. Change them with `test.extend`, or with `test.override` inside of `describe`.
   *
   * @default those of `guild.clientOptions`, and { logLevel: 'off' }
   */
  readonly ledgerOptions: GuildLedgerOptions
}

/** Fixtures, with their scopes in the way that Vitest's types express them. */
export interface LedgerContext extends FileFixtures, TestFixtures {
  /** @internal */
  readonly $__worker?: object
  /** @internal */
  readonly $__file?: FileFixtures
  /** @internal */
  readonly $__test?: TestFixtures
}

/**
 * `test` of Vitest with the fixtures `mock`, `guild` and `ledger`. A test that uses `guild` or `ledger` and fails shows the
 * requests of its guild, the assumptions in force and the command that runs it again.
 *
 * @example
 * test('counts transactions', async ({ guild, ledger }) => {
 *   guild.add([createTransactionFactory()()])
 *   expect((await ledger.transactions.list()).pagination.total).toBe(1)
 * })
 */
export const test: TestAPI<LedgerContext> = base
  .extend('mockOptions', { scope: 'file' }, (): MockLedgerOptions => ({}))
  .extend('mock', { scope: 'file' }, ({ mockOptions }) =>
    createMockLedger({ transactions: 0, rateLimit: 'off', ...mockOptions }),
  )
  .extend('guildOptions', (): GuildOptions => ({}))
  .extend('onUnusedFault', (): OnUnusedFault => 'warn')
  .extend('guild', ({ mock, guildOptions, onUnusedFault, task, onTestFailed, onTestFinished }, { onCleanup }) => {
    // One seed for all, so that a test has the same transactions when it runs alone.
    const guild = mock.createGuild({ seed: 1, ...guildOptions })
    attachToFailure({ task, onTestFailed }, prepareReport(mock, guild, task))
    onCleanup(() => mock.removeGuild(guild.id))
    const earlierErrors = task.result?.errors?.length
    onTestFinished(() => {
      const unused = formatUnusedFaults(guild.unusedFaults).join('\n')
      const hasPassed = task.result?.errors?.length === earlierErrors
      if (unused === '' || onUnusedFault === 'ignore' || !hasPassed) return
      if (onUnusedFault === 'fail') throw new Error(unused)
      // oxlint-disable-next-line no-console -- Vitest shows it with the test.
      console.warn(unused)
    })
    return guild
  })
  .extend('ledgerOptions', (): GuildLedgerOptions => ({}))
  .extend('ledger', ({ guild, ledgerOptions }, { onCleanup }) => {
    const ledger = new GuildLedger({ ...guild.clientOptions, logLevel: 'off', ...ledgerOptions })
    onCleanup(() => ledger.close())
    return ledger
  })
