import { element } from './elements.ts'

const patienceMs = 10_000

/** The mock refused. The message is its own. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The admin API of the mock that served this page. */
export interface Api {
  /**
   * @throws {Refusal} The mock said no.
   * @throws {Error} It did not answer.
   */
  ask(path: string, method?: string, body?: object): Promise<unknown>
  /** From now on each request carries this token. It is kept in memory only. */
  useToken(token: string): void
  /** Saves a reply as a file, for which a plain link would carry no token. */
  download(path: string): Promise<void>
}

const messageIn = (said: unknown): string =>
  typeof said === 'object' && said !== null && 'message' in said ? String(said.message) : 'The mock gave no reason.'

/** Asks relative to `base`, the address of this page. */
export const createApi = (base: string): Api => {
  let headers: Record<string, string> = {}
  const answerOf = async (path: string, method = 'GET', body?: object): Promise<Response> =>
    fetch(new URL(path, base), {
      method,
      headers,
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    async ask(path, method, body) {
      const answer = await answerOf(path, method, body)
      if (answer.status === 204) return undefined
      const said: unknown = await answer.json()
      if (!answer.ok) throw new Refusal(answer.status, messageIn(said))
      return said
    },
    useToken(token) {
      headers = { authorization: `Bearer ${token}` }
    },
    async download(path) {
      const href = URL.createObjectURL(await (await answerOf(path)).blob())
      element('a', { href, download: path }).click()
      URL.revokeObjectURL(href)
    },
  }
}
