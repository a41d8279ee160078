import { check, required, validate, type Checks } from '@guild-ledger/validation'
import { invalidOption } from '../errors/index.ts'

/** Your program, for the `User-Agent` of its requests. */
export interface AppInfo {
  /** Name, without spaces. */
  readonly name: string
  /** Version, without spaces. */
  readonly version?: string | undefined
}

// Replaced by the build.
declare const SDK_VERSION: string | undefined
const version = typeof SDK_VERSION === 'undefined' ? '0.0.0' : SDK_VERSION

const token = check(
  (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
  'a string of letters, digits and characters such as - . _',
)
const appInfoChecks: Checks = { name: required(token), version: token }

/** The runtime as `name/version`; undefined in web pages, where the browser's own name is sent. */
const runtime = (): string | undefined => {
  const { process, navigator } = globalThis as {
    process?: { versions?: Partial<Record<string, string>> }
    navigator?: { userAgent?: string }
  }
  if (navigator?.userAgent === 'Cloudflare-Workers') return navigator.userAgent
  const name = ['bun', 'deno', 'node'].find((known) => process?.versions?.[known])
  return name && `${name}/${process?.versions?.[name]}`
}

/** The header that names this package, the runtime and your program; empty where the runtime sets it itself. */
export const userAgentHeader = (given: AppInfo | undefined): Readonly<Record<string, string>> => {
  const app = given && validate(appInfoChecks, given as Checks & AppInfo, invalidOption, { path: 'appInfo' })
  const host = runtime()
  if (host === undefined) return {}
  const own = app && `${app.name}${app.version === undefined ? '' : `/${app.version}`}`
  return { 'user-agent': [`guild-ledger-sdk/${version}`, host, own].filter(Boolean).join(' ') }
}
