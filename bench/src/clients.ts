import { REST } from '@discordjs/rest'
import { GuildLedger } from '@guild-ledger/sdk'
import { guildResponse } from '@guild-ledger/sdk/contract'
import { Octokit } from '@octokit/core'
import got from 'got'
import ky from 'ky'
import OpenAI from 'openai'
import Stripe from 'stripe'
import { parse, type $ZodType } from 'zod/v4/core'

const path = '/guild/ledger/transactions'
const key = 'a-key-of-24-characters-x'

/** The contract does not say so in its types, but its schemas are those of zod. */
const schema = guildResponse as unknown as $ZodType

/** The same request by each of the clients: one page of 100 transactions, parsed. */
export const clientsOf = (port: number): Record<string, () => Promise<unknown>> => {
  const origin = `http://127.0.0.1:${port}`
  const url = `${origin}${path}?limit=100`
  const headers = { 'x-api-key': key }
  const ledger = new GuildLedger({ apiKey: key, baseUrl: origin, throttle: false })
  const openai = new OpenAI({ apiKey: key, baseURL: origin })
  const octokit = new Octokit({ baseUrl: origin })
  const stripe = new Stripe(key, { host: '127.0.0.1', port, protocol: 'http' })
  const discord = new REST({ api: origin, version: '10', globalRequestsPerSecond: 1e9 }).setToken(key)
  return {
    'fetch + json()': async () => (await fetch(url, { headers })).json(),
    ky: () => ky(url, { headers }).json(),
    'ky + zod/mini': async () => parse(schema, await ky(url, { headers }).json()),
    '@guild-ledger/sdk': () => ledger.transactions.list({ limit: 100 }),
    got: () => got(url, { headers }).json(),
    openai: () => openai.get(path, { query: { limit: 100 } }),
    '@octokit/core': () => octokit.request(`GET ${path}`, { limit: 100, headers }),
    stripe: () => stripe.rawRequest('GET', path),
    '@discordjs/rest': () => discord.get(path as `/${string}`, { query: new URLSearchParams({ limit: '100' }) }),
  }
}
