import { aFunction, describeValue, validate, validateValue } from '@guild-ledger/validation'
import { defaults } from '../defaults.ts'
import { invalidOption } from '../errors/index.ts'
import { throttleChecks } from '../throttle/index.ts'
import {
  checkedKey,
  createApiKeys,
  createLog,
  logLevels,
  type ApiKeyFunction,
  type Log,
  type TransportSettings,
} from '../transport/index.ts'
import { clientChecks, retryChecks, type GuildLedgerOptions } from './client-options.ts'
import { clientThrottle, type ThrottleClient } from './client-throttle.ts'
import { userAgentHeader } from './user-agent.ts'

/** An environment variable; undefined where there are none or reading them is not allowed. */
const environment = (name: string): string | undefined => {
  try {
    return globalThis.process?.env[name] || undefined
  } catch {
    return undefined // Deno without --allow-env
  }
}

const isBrowser = () => 'window' in globalThis && 'document' in globalThis

const reject = (option: string, message: string): never => invalidOption(option, `\`${option}\` ${message}`)

const checkedApiKey = (given: GuildLedgerOptions['apiKey']): string | ApiKeyFunction => {
  if (!given) return reject('apiKey', 'is missing: pass it to new GuildLedger({ apiKey }) or set GUILD_LEDGER_API_KEY')
  return typeof given === 'string' ? checkedKey(given) : given
}

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)

const endpointPath = /\/guild\/(ledger(\/([^/]+\/)?transactions)?|discharges)\/?$/
const checkedBaseUrl = (given: string | URL | undefined, allowInsecureHttp = false): string => {
  const fail = (message: string) => reject('baseUrl', message)
  if (!given) return fail('is missing: pass it to new GuildLedger({ baseUrl }) or set GUILD_LEDGER_BASE_URL')
  if (!URL.canParse(given)) {
    const hint = /^["']/.test(String(given)) ? 'remove the quotes around it' : 'does it lack https:// in front?'
    fail(`must be an address such as https://ledger.example, got something else: ${hint}`)
  }
  const url = new URL(given)
  const endpoint = endpointPath.exec(url.pathname)?.[0]
  if (endpoint) {
    fail(`must be the address of the service without the path of an endpoint, got one that ends in ${endpoint}`)
  }
  if (url.username || url.password || url.search || url.hash) {
    fail(`must not hold a user name, a password, a query or a fragment, got one beside ${url.host}`)
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    fail('must begin with https://, or with http:// for a loopback host, got another scheme')
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecureHttp) {
    fail(
      `must be https, or http on a loopback host, got http://${url.host}: the key would be sent unencrypted. ` +
        'On a private network, set allowInsecureHttp.',
    )
  }
  return url.origin + url.pathname.replace(/\/+$/, '')
}

let isLevelReported = false

/** A logger at the level of the options, or else of the environment: a level there that does not exist stops no program. */
const logOf = ({ logger = globalThis.console, logLevel }: GuildLedgerOptions): Log => {
  const fromEnvironment = environment('GUILD_LEDGER_LOG')
  const level = logLevels.find((one) => one === (logLevel ?? fromEnvironment?.trim().toLowerCase()))
  const log = createLog(logger, level ?? defaults.client.logLevel)
  if (level === undefined && fromEnvironment !== undefined && !isLevelReported) {
    isLevelReported = true
    const allowed = `must be one of ${logLevels.join(', ')}, got ${describeValue(fromEnvironment)}`
    log(
      'warn',
      'invalid_environment',
      `\`GUILD_LEDGER_LOG\` ${allowed}: the log level is '${defaults.client.logLevel}'.`,
    )
  }
  return log
}

const retrySettings = (given: GuildLedgerOptions['retry']): TransportSettings['retry'] => {
  if (given === false) return { ...defaults.retry, maxRetries: 0 }
  const taken = validate(retryChecks, given ?? {}, invalidOption, { path: 'retry' })
  return { ...defaults.retry, ...(taken as Partial<TransportSettings['retry']>) }
}

const invalidClientOption = (option: string, message: string): never => {
  const group = Object.hasOwn(retryChecks, option) ? 'retry' : Object.hasOwn(throttleChecks, option) && 'throttle'
  const meant = `Unknown option \`${option}\`. Did you mean \`${group}: { ${option} }\`?`
  return invalidOption(option, group ? meant : message)
}

/** Reads options and environment once: checked, with defaults filled in. */
export const clientSettings = (given: GuildLedgerOptions): TransportSettings => {
  const options = validate(clientChecks, given, invalidClientOption)
  const middleware = [...(options.middleware ?? [])]
  middleware.forEach((layer, i) => validateValue(aFunction, `middleware[${i}]`, layer, invalidOption))
  if (isBrowser() && !options.dangerouslyAllowBrowser) {
    invalidOption(
      'dangerouslyAllowBrowser',
      'A web page shows its API key to every visitor: call the service from your own server instead. ' +
        'If nobody else can open the page, set dangerouslyAllowBrowser.',
    )
  }
  const apiKey = checkedApiKey(options.apiKey ?? environment('GUILD_LEDGER_API_KEY'))
  const baseUrl = checkedBaseUrl(options.baseUrl ?? environment('GUILD_LEDGER_BASE_URL'), options.allowInsecureHttp)
  const log = logOf(options)
  const keys = createApiKeys(apiKey, log)
  const client: ThrottleClient = { keys, baseUrl, log }
  return {
    ...client,
    keyExpiresAt: options.apiKeyExpiresAt === undefined ? undefined : new Date(options.apiKeyExpiresAt).getTime(),
    userAgent: userAgentHeader(options.appInfo),
    timeoutMs: options.timeoutMs,
    attemptTimeoutMs: options.attemptTimeoutMs ?? defaults.client.attemptTimeoutMs,
    retry: retrySettings(options.retry),
    throttle: clientThrottle(options.throttle, client),
    deduplicate: options.deduplicate ?? defaults.client.deduplicate,
    validation: options.validation ?? defaults.client.validation,
    maxResponseBytes: options.maxResponseBytes ?? defaults.client.maxResponseBytes,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    middleware,
  }
}
