import { aFunction, checked, checkOption } from '../checks.ts'
import { ConfigurationError } from '../errors/index.ts'
import { sharedThrottle, type Throttle, type ThrottleOptions } from '../throttle/index.ts'
import { createLog, logLevels, type LogLevel, type Settings } from '../transport/index.ts'
import { clientChecks, retryChecks } from './check.ts'
import type { GuildLedgerOptions } from './client-options.ts'

const defaultRetry = { maxRetries: 2, baseDelayMs: 300, maxDelayMs: 20_000 }
const defaultAttemptTimeoutMs = 10_000

/** An environment variable, where there are such and reading them is allowed. */
const environment = (name: string): string | undefined => {
  try {
    return globalThis.process?.env[name] || undefined
  } catch {
    return undefined // Deno without --allow-env
  }
}

const isBrowser = () => 'window' in globalThis && 'document' in globalThis

const refuse = (option: string, message: string): never => {
  throw new ConfigurationError(option, message)
}

// What a header takes (visible Latin-1), so that no runtime fails later with a message that shows the key.
const headerValue = /^[\x21-\x7e\xa1-\xff]+$/

const checkedKey = (apiKey: string | undefined): string => {
  if (!apiKey) {
    return refuse('apiKey', 'apiKey is missing: pass it to new GuildLedger({ apiKey }) or set GUILD_LEDGER_API_KEY')
  }
  if (/[\r\n]/.test(apiKey)) refuse('apiKey', 'apiKey holds a line break: it was probably read from a file; trim it')
  if (!headerValue.test(apiKey)) {
    refuse(
      'apiKey',
      'apiKey holds characters that no header can carry (spaces, control or non-Latin-1 ones): copy it anew',
    )
  }
  return apiKey
}

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)

const checkedBaseUrl = (given: string | URL | undefined, allowInsecureHttp = false): string => {
  if (!given) {
    return refuse('baseUrl', 'baseUrl is missing: pass it to new GuildLedger({ baseUrl }) or set GUILD_LEDGER_BASE_URL')
  }
  const example = 'an address such as https://ledger.example'
  const url = URL.canParse(given)
    ? new URL(given)
    : refuse(
        'baseUrl',
        `baseUrl must be ${example}; what was given cannot be read as one: does it lack https:// in front?`,
      )
  const shown = `${url.protocol}//${url.host}`
  if (url.username || url.password)
    refuse('baseUrl', `baseUrl must not hold a user name or password; got one before ${url.host}`)
  if (url.search || url.hash)
    refuse('baseUrl', `baseUrl must not have a query or a fragment; got one after ${shown}${url.pathname}`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    refuse(
      'baseUrl',
      'baseUrl must begin with https://, or with http:// for this machine; it begins with something else',
    )
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecureHttp) {
    refuse(
      'baseUrl',
      `baseUrl must be https, or http on this machine: the key would cross the network in the clear; got ${shown}. ` +
        'On a private network, set allowInsecureHttp.',
    )
  }
  return url.origin + url.pathname.replace(/\/+$/, '')
}

const checkedLogLevel = (given: LogLevel | undefined): LogLevel => {
  const level = given ?? environment('GUILD_LEDGER_LOG') ?? 'warn'
  return (
    logLevels.find((known) => known === level) ??
    refuse('logLevel', `GUILD_LEDGER_LOG must be one of ${logLevels.join(', ')}; got ${JSON.stringify(level)}`)
  )
}

const checkedRetry = (given: GuildLedgerOptions['retry']): Settings['retry'] => {
  if (given === false) return { ...defaultRetry, maxRetries: 0 }
  return { ...defaultRetry, ...(checked(retryChecks, given ?? {}, 'retry') as Partial<Settings['retry']>) }
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/** The shared throttle lives as long as `settings`, which every list, user and walk of the client holds on to. */
const throttleOf = (given: GuildLedgerOptions['throttle'] = {}, settings: Settings): Throttle | undefined => {
  if (given === false) return undefined
  if ('acquire' in given) return given
  // Not `settings` itself: the throttle is kept for the process, and would keep it, and the client, with it.
  const { log } = settings
  const onStepDown: ThrottleOptions['onStepDown'] = (step) => {
    log('warn', `the service answered 429 although the limit was kept: now pacing as '${step.to}'`)
    given.onStepDown?.(step)
  }
  return sharedThrottle(settings, new URL(settings.baseUrl).origin, settings.apiKey, { ...given, onStepDown })
}

/** Reads options and environment once: checked, filled in, frozen. */
export const settingsOf = (given: GuildLedgerOptions): Settings => {
  const options = checked(clientChecks, given)
  const middleware = Object.freeze([...(options.middleware ?? [])])
  middleware.forEach((layer, i) => checkOption(aFunction, `middleware[${i}]`, layer))
  if (isBrowser() && !options.dangerouslyAllowBrowser) {
    refuse(
      'dangerouslyAllowBrowser',
      'a web page shows its API key to every visitor: call the service from your own server instead. ' +
        'If nobody else can open the page, set dangerouslyAllowBrowser.',
    )
  }
  const settings: Writable<Settings> = {
    apiKey: checkedKey(options.apiKey ?? environment('GUILD_LEDGER_API_KEY')),
    baseUrl: checkedBaseUrl(options.baseUrl ?? environment('GUILD_LEDGER_BASE_URL'), options.allowInsecureHttp),
    timeoutMs: options.timeoutMs,
    attemptTimeoutMs: options.attemptTimeoutMs ?? defaultAttemptTimeoutMs,
    retry: Object.freeze(checkedRetry(options.retry)),
    throttle: undefined,
    validation: options.validation ?? 'strict',
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    middleware,
    log: createLog(options.logger ?? globalThis.console, checkedLogLevel(options.logLevel)),
  }
  settings.throttle = throttleOf(options.throttle, settings)
  return Object.freeze(settings)
}
