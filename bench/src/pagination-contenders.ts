/** Ways to paginate over a ledger: ours, and what people use today, each with the strictest throttle in use. */
import { createThrottle, GuildLedger } from '@guild-ledger/sdk'
import { Octokit } from '@octokit/core'
import { paginateRest } from '@octokit/plugin-paginate-rest'
import got from 'got'
import OpenAI from 'openai'
import { AbstractPage } from 'openai/core/pagination'
import pThrottle from 'p-throttle'

/** Prepares a pagination over the pages at an address; it yields the identifiers. */
type Paginator = (url: string) => () => AsyncIterable<string>

interface PageBody {
  readonly data: readonly { readonly transactions: readonly { readonly transactionId: string }[] }[]
  readonly pagination: { readonly page: number; readonly totalPages: number }
}

const path = '/guild/ledger/transactions'
const key = 'a-key-of-24-characters-x'
const headers = { 'x-api-key': key }
const idsOf = ({ data }: PageBody) =>
  data.flatMap((group) => group.transactions.map(({ transactionId }) => transactionId))
const pThrottled = () => pThrottle({ limit: 10, interval: 1000, strict: true })
const throttledFetch = () => pThrottled()((...request: Parameters<typeof fetch>) => fetch(...request))

const ours: Paginator = (url) => {
  const ledger = new GuildLedger({ apiKey: key, baseUrl: url, throttle: createThrottle(), logLevel: 'off' })
  return async function* () {
    for await (const { transactionId } of ledger.transactions.iterate()) yield transactionId
  }
}

/** A loop such as anybody writes, which waits as long as `Retry-After` of a 429 says. */
const byHand: Paginator = (url) => {
  const send = throttledFetch()
  const request = async (page: number): Promise<PageBody> => {
    const response = await send(`${url}${path}?limit=100&page=${page}`, { headers })
    if (response.status !== 429) return (await response.json()) as PageBody
    await response.text()
    await new Promise((over) => setTimeout(over, 1000 * Number(response.headers.get('retry-after'))))
    return request(page)
  }
  return async function* () {
    for (let page = 1, last = 1; page <= last; page++) {
      const body = await request(page)
      yield* idsOf(body)
      last = body.pagination.totalPages
    }
  }
}

const withGot: Paginator = (url) => {
  const wait = pThrottled()(async () => {})
  const client = got.extend({
    headers,
    retry: { limit: 5 },
    hooks: { beforeRequest: [wait] },
  })
  return () =>
    client.paginate<string, PageBody>(`${url}${path}?limit=100&page=1`, {
      responseType: 'json',
      pagination: {
        transform: ({ body }) => idsOf(body),
        paginate: ({ response }) => {
          const { page, totalPages } = response.body.pagination
          return page < totalPages && { searchParams: { limit: 100, page: page + 1 } }
        },
      },
    })
}

const withOctokit: Paginator = (url) => {
  const octokit = new (Octokit.plugin(paginateRest))({ baseUrl: url, request: { fetch: throttledFetch() } })
  // Octokit retries by another plugin only.
  octokit.hook.wrap('request', async (request, options) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await request(options)
      } catch (error) {
        if ((error as { status?: number }).status !== 429 || attempt === 5) throw error
        await new Promise((over) => setTimeout(over, 1000))
      }
    }
  })
  return async function* () {
    for await (const { data } of octokit.paginate.iterator(`GET ${path}`, { limit: 100, page: 1, headers })) {
      yield* idsOf(data as unknown as PageBody)
    }
  }
}

class LedgerPage extends AbstractPage<string> {
  readonly #body: PageBody
  constructor(...[client, response, body, options]: ConstructorParameters<typeof AbstractPage<string>>) {
    super(client, response, body, options)
    this.#body = body as PageBody
  }
  getPaginatedItems() {
    return idsOf(this.#body)
  }
  nextPageRequestOptions() {
    const { page, totalPages } = this.#body.pagination
    return page < totalPages ? { ...this.options, query: { limit: 100, page: page + 1 } } : null
  }
}

const withOpenAi: Paginator = (url) => {
  const openai = new OpenAI({ apiKey: key, baseURL: url, fetch: throttledFetch(), maxRetries: 5 })
  return async function* () {
    yield* (await openai.getAPIList(path, LedgerPage as never, {
      query: { limit: 100, page: 1 },
    })) as AsyncIterable<string>
  }
}

export const paginators: Readonly<Record<string, Paginator>> = {
  ours,
  'a loop + p-throttle strict': byHand,
  'got.paginate + p-throttle strict': withGot,
  'octokit.paginate + p-throttle strict': withOctokit,
  "openai's pager + p-throttle strict": withOpenAi,
}
