/** Runs one snippet, in a worker of its own, so that the page can stop whatever it does. */
import { env, hasTimers, repeat } from './environment.ts'
import * as sdk from '../../packages/sdk/src/index.ts'
import { createTransactionFactory } from '../../packages/mock-server/src/seed/transaction-factory.ts'
import { formatUnknownName } from '../../packages/validation/src/unknown-name.ts'
import type { ModuleInPage } from '../../scripts/snippets.ts'
import { createClientClass, hasRequests } from './client.ts'
import { createFiles } from './files.ts'
import type { Message, Start } from './messages.ts'
import { createMockLedgerIn } from './mock.ts'
import { printAll } from './print.ts'
import { describeError, load } from './program.ts'
import { scenarios } from './scenarios.ts'

const send = (message: Message) => postMessage(message)

const maxLines = 1000
let lines = 0
const write = (text: string, isError: boolean) => {
  lines++
  if (lines <= maxLines) send({ type: 'output', text, isError })
  if (lines === maxLines) send({ type: 'output', text: `Only the first ${maxLines} lines are shown.`, isError: true })
}
const replaceConsole = () => {
  const log = (...values: unknown[]) => write(printAll(values), false)
  const warn = (...values: unknown[]) => write(printAll(values), true)
  Object.assign(console, { log, info: log, debug: log, table: log, warn, error: warn })
}

const isIdle = (): boolean => !hasTimers() && !hasRequests()

/** Resolves when nothing is left that would keep a process running, as Node sees it. */
const untilIdle = () =>
  new Promise<undefined>((resolve) => {
    repeat(() => {
      if (isIdle()) resolve(undefined)
    }, 20)
  })

/** Throws where a snippet uses a name that a module does not export. */
const withNamedExports = (module: string, exports: object): object =>
  new Proxy(exports, {
    get(target, name) {
      if (typeof name === 'symbol' || name === '__esModule' || name in target) return Reflect.get(target, name)
      throw new Error(`\`${module}\`: ${formatUnknownName('export', name, Object.keys(target))}`)
    },
  })

const run = async ({ code, scenario, files }: Start): Promise<string | undefined> => {
  let url = ''
  try {
    const createMockLedger = createMockLedgerIn(scenarios[scenario] ?? { label: '' })
    const mock = createMockLedger({ users: 50, transactions: 1000 }) // as the command starts it, for the same results
    globalThis.fetch = async (input, init) => {
      const { origin } = new URL(input instanceof Request ? input.url : input, location.href)
      if (origin === mock.origin) return mock.fetch(input, init)
      throw new TypeError(`The playground has no network. fetch reaches only ${mock.origin}, the mock server.`)
    }
    Object.assign(env, { GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: mock.origin })
    const startedAt = performance.now()
    const GuildLedger = createClientClass((request, assumptions) =>
      send({ type: 'request', request: { ...request, atMs: request.atMs - startedAt }, assumptions }),
    )
    const modules: Record<ModuleInPage, object> = {
      '@guild-ledger/sdk': { ...sdk, GuildLedger },
      '@guild-ledger/mock-server': { createMockLedger, createTransactionFactory },
      'node:fs/promises': createFiles(files, (name, text) => send({ type: 'file', name, text })),
    }
    const require = (name: string): unknown => {
      if (Object.hasOwn(modules, name)) return withNamedExports(name, modules[name as ModuleInPage])
      throw new Error(
        `This page runs in your browser, which has no ${name}. It has ${Object.keys(modules).join(', ')}.`,
      )
    }
    const loaded = await load(code)
    url = loaded.url
    const failure = new Promise<unknown>((resolve) => {
      addEventListener('unhandledrejection', (event) => {
        event.preventDefault()
        resolve(event.reason)
      })
      addEventListener('error', (event) => {
        event.preventDefault()
        resolve(event.error)
      })
    })
    const end = loaded.program(require, { url: 'file:///snippet.ts' }, {}).then(untilIdle)
    return await Promise.race([end, failure.then((error) => describeError(error, url))])
  } catch (error) {
    return describeError(error, url)
  }
}

addEventListener('message', ({ data }: MessageEvent<Start>) => {
  replaceConsole()
  send({ type: 'started' })
  repeat(() => send({ type: 'alive', isIdle: isIdle() }), 250)
  void run(data).then((error) => send({ type: 'ended', ...(error !== undefined && { error }) }))
})
