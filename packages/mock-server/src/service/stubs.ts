import { quoted, check } from '@guild-ledger/validation'
import { stubFields } from '../faults/fault-fields.ts'
import { formatErrorBody, nullBodyStatuses, type OperationResult } from '../http.ts'
import { checkedFields, checkedValue } from '../type-error.ts'
import { operationAt } from './operation-path.ts'

/** What a stub responds with. */
export interface StubResponse {
  /**
   * HTTP status, 200 to 599.
   *
   * @default 200
   */
  readonly status?: number
  /**
   * A string is sent as it is, anything else as JSON.
   *
   * @default { success: true }, or the error body of the service for a status from 400 on
   */
  readonly body?: unknown
  /** Headers in addition to `content-type: application/json`, or replacing it. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A response for a path that the spec only names. */
export interface Stub extends StubResponse {
  /** The path, without a query string. */
  readonly path: string
}

const pathCheck = quoted(
  check(
    (value) => typeof value === 'string' && /^\/[\x21-\x7e]*$/.test(value) && !/[?#]/.test(value),
    'a path such as /guild/discharges, percent-encoded and without a query string',
  ),
)

const checkFree = (path: string): void => {
  if (operationAt(path)) {
    throw new TypeError(`\`path\` must not be one that the mock responds to itself, got ${path}: use \`guild.fault\``)
  }
  const { pathname } = new URL(`http://a${path}`)
  if (pathname !== path) throw new TypeError(`\`path\` must be as clients send it, ${pathname}, got ${path}`)
  if (/^\/_mock(\/|$)/.test(path)) throw new TypeError(`\`path\` must not be one of the admin API, got ${path}`)
}

const bodyOf = ({ status = 200, body }: StubResponse): string => {
  if (nullBodyStatuses.has(status)) return ''
  if (body !== undefined) return typeof body === 'string' ? body : JSON.stringify(body)
  return status < 400 ? '{"success":true}' : formatErrorBody(`Stubbed in the mock: status ${status}`)
}

const responseNaming = { noun: 'field', label: 'response', expected: 'an object such as { status: 200, body: [] }' }

export type Stubs = ReturnType<typeof createStubs>

/** No stub at all until one is set. */
export const createStubs = () => {
  let byPath: ReadonlyMap<string, Stub> = new Map()
  return {
    set(path: string, response: StubResponse): void {
      checkedValue(pathCheck, 'path', path)
      checkFree(path)
      const checked = checkedFields(stubFields, response, responseNaming)
      if (nullBodyStatuses.has(checked.status ?? 200) && checked.body !== undefined) {
        throw new TypeError(`A response with status ${checked.status} has no body: leave \`body\` out.`)
      }
      byPath = new Map([...byPath, [path, Object.freeze({ path, ...checked })]])
    },
    resultAt(path: string): OperationResult | undefined {
      const stub = byPath.get(path)
      if (!stub) return undefined
      const { status = 200, headers = {} } = stub
      return { status, body: bodyOf(stub), headers: Object.fromEntries(new Headers(headers)) }
    },
    list: (): Stub[] => [...byPath.values()],
    clear(): void {
      byPath = new Map()
    },
    state: () => byPath,
    restore(state: typeof byPath): void {
      byPath = state
    },
  }
}
