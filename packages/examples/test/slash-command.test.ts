// discord.js itself, with its own interactions and messages; only its HTTP ends here instead of at Discord.
import { createTransactionFactory } from '@guild-ledger/mock-server'
import type { GuildLedger } from '@guild-ledger/sdk'
import { Client } from 'discord.js'
import { expect, it, onTestFinished } from 'vitest'
import { command, onInteraction } from '../src/slash-command.ts'
import { world } from './testing/world.ts'

interface Shown {
  readonly content: string
  readonly allowed_mentions: unknown
  readonly components: { readonly components: { readonly custom_id: string; readonly disabled: boolean }[] }[]
}

const user = { id: '1', username: 'ann', discriminator: '0', avatar: null, global_name: null }
const common = {
  id: '10',
  application_id: '20',
  token: 'of-the-interaction',
  version: 1,
  user,
  locale: 'en-US',
  authorizing_integration_owners: {},
}
const where = { channel: { id: '30', type: 1 }, channel_id: '30', entitlements: [], app_permissions: '0', context: 1 }
const posted = { id: '40', channel_id: '30', author: user, content: '', timestamp: '2026-01-01T00:00:00.000Z' }
const rest = { edited_timestamp: null, mentions: [], attachments: [], embeds: [], type: 0, flags: 64 }

/** A Discord that sends interactions and notes what it is told. */
const discord = (ledger: GuildLedger) => {
  const requests: { readonly method: string; readonly body: unknown }[] = []
  const client = new Client({
    intents: [],
    rest: {
      makeRequest: async (_url, { method = 'GET', body }) => {
        requests.push({ method, body: JSON.parse(typeof body === 'string' ? body : '{}') as unknown })
        const reply = method === 'POST' ? new Response(null, { status: 204 }) : Response.json({ ...posted, ...rest })
        return reply as never // the same thing, but for the types of streams that two libraries have each their own of
      },
    },
  })
  onTestFinished(() => client.destroy())
  // Where packets of the gateway arrive.
  const { actions } = client as unknown as { actions: { InteractionCreate: { handle(packet: object): void } } }
  const send = async (packet: object): Promise<Shown> => {
    const answered = new Promise<void>((resolve, reject) => {
      client.once('interactionCreate', (interaction) => void onInteraction(ledger, interaction).then(resolve, reject))
    })
    actions.InteractionCreate.handle({ ...common, ...where, ...packet })
    await answered
    return requests.at(-1)?.body as Shown
  }
  return {
    requests,
    asks: async (platformId: string) =>
      send({
        type: 2,
        data: { id: '50', name: 'ledger', type: 1, options: [{ name: 'user', type: 3, value: platformId }] },
      }),
    presses: async (customId: string) =>
      send({ type: 3, data: { component_type: 2, custom_id: customId }, message: { ...posted, ...rest } }),
  }
}

const withPurchases = (count: number, platformId = '84:12') => {
  const transaction = createTransactionFactory()
  const { guild, ledger } = world({ transactions: 0 })
  guild.add(Array.from({ length: count }, (_, i) => transaction({ platformId, name: `item ${i + 1}` })))
  return { guild, ...discord(ledger) }
}

const buttonsOf = ({ components }: Shown) => components[0]?.components ?? []

it('describes itself the way Discord wants it', () => {
  expect(command.toJSON()).toMatchObject({
    name: 'ledger',
    default_member_permissions: '32',
    options: [{ name: 'user', required: true, max_length: 80, type: 3 }],
  })
})

it('gives a sign of life first, for the asker only, and then the newest purchases', async () => {
  const { asks, requests } = withPurchases(25)

  const shown = await asks('84:12')

  expect(requests[0]).toEqual({ method: 'POST', body: { type: 5, data: { flags: 64 } } })
  expect(shown.content).toMatch(/^<t:1767225625:d> 1 × item 25: \*\*10\.00\*\*\n/)
  expect(shown.content).toMatch(/-# page 1 of 3$/)
  expect(buttonsOf(shown)).toMatchObject([{ disabled: true }, { custom_id: 'ledger:2:84:12', disabled: false }])
})

it('turns pages to the last', async () => {
  const { presses } = withPurchases(25)

  const shown = await presses('ledger:3:84:12')

  expect(shown.content).toContain('item 1:')
  expect(shown.content).toMatch(/-# page 3 of 3$/)
  expect(buttonsOf(shown)).toMatchObject([{ custom_id: 'ledger:2:84:12', disabled: false }, { disabled: true }])
})

it('lets names ping nobody and format nothing', async () => {
  const transaction = createTransactionFactory()
  const { guild, ledger } = world({ transactions: 0 })
  guild.add([transaction({ platformId: '8412', name: '**@everyone**' })])

  const shown = await discord(ledger).asks('8412')

  expect(shown.allowed_mentions).toEqual({ parse: [] })
  expect(shown.content).toContain(String.raw`\*\*@everyone\*\*`)
})

it.each([
  ['nobody', 'Nothing has been bought yet.'],
  ['..', 'This is no identifier of a user.'],
])('says so where there is nothing to show for %s', async (platformId, content) => {
  const { asks } = withPurchases(1)
  expect(await asks(platformId)).toMatchObject({ content, components: [] })
})

it('says so when the ledger is down', async () => {
  const { asks, guild } = withPurchases(1)
  guild.fail({ kind: 'reset' })
  expect(await asks('84:12')).toMatchObject({ content: 'The ledger cannot be reached right now.', components: [] })
})

it('fits into a message however long names are', async () => {
  const transaction = createTransactionFactory()
  const { guild, ledger } = world({ transactions: 0 })
  guild.add(Array.from({ length: 10 }, () => transaction({ platformId: '8412', name: '*'.repeat(500) })))
  const shown = await discord(ledger).asks('8412')
  expect(shown.content.length).toBeLessThanOrEqual(2000)
})

it('leaves buttons of others alone', async () => {
  const { presses, requests } = withPurchases(1)
  await presses('poll:1')
  expect(requests).toEqual([])
})
