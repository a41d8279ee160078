// Uses the real discord.js with its own interactions and messages. Only its HTTP requests do not reach Discord.
import { createTransactionFactory } from '@guild-ledger/mock-server'
import type { GuildLedger } from '@guild-ledger/sdk'
import { Client } from 'discord.js'
import { expect, it, onTestFinished } from 'vitest'
import { command, onInteraction } from '../src/slash-command.ts'
import { createIsolatedMock } from './support/isolated-mock.ts'

interface Message {
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
const channel = { channel: { id: '30', type: 1 }, channel_id: '30', entitlements: [], app_permissions: '0', context: 1 }
const posted = { id: '40', channel_id: '30', author: user, content: '', timestamp: '2026-01-01T00:00:00.000Z' }
const rest = { edited_timestamp: null, mentions: [], attachments: [], embeds: [], type: 0, flags: 64 }

/** A fake Discord that sends interactions and records the requests of the bot. */
const fakeDiscord = (ledger: GuildLedger) => {
  const requests: { readonly method: string; readonly body: unknown }[] = []
  const client = new Client({
    intents: [],
    rest: {
      makeRequest: async (_url, { method = 'GET', body }) => {
        requests.push({ method, body: JSON.parse(typeof body === 'string' ? body : '{}') as unknown })
        const response = method === 'POST' ? new Response(null, { status: 204 }) : Response.json({ ...posted, ...rest })
        return response as never // the types of the streams differ between two libraries
      },
    },
  })
  onTestFinished(() => client.destroy())
  // Receives the packets of the gateway.
  const { actions } = client as unknown as { actions: { InteractionCreate: { handle(packet: object): void } } }
  const send = async (packet: object): Promise<Message> => {
    const handled = new Promise<void>((resolve, reject) => {
      client.once('interactionCreate', (interaction) => void onInteraction(ledger, interaction).then(resolve, reject))
    })
    actions.InteractionCreate.handle({ ...common, ...channel, ...packet })
    await handled
    return requests.at(-1)?.body as Message
  }
  return {
    requests,
    sendCommand: async (platformId: string) =>
      send({
        type: 2,
        data: { id: '50', name: 'ledger', type: 1, options: [{ name: 'user', type: 3, value: platformId }] },
      }),
    pressButton: async (customId: string) =>
      send({ type: 3, data: { component_type: 2, custom_id: customId }, message: { ...posted, ...rest } }),
  }
}

const withPurchases = (count: number, platformId = '84:12', nameOf = (i: number) => `item ${i + 1}`) => {
  const transaction = createTransactionFactory()
  const { guild, ledger } = createIsolatedMock({ transactions: 0 })
  guild.add(Array.from({ length: count }, (_, i) => transaction({ platformId, name: nameOf(i) })))
  return { guild, ...fakeDiscord(ledger) }
}

const buttonsOf = ({ components }: Message) => components[0]?.components ?? []

it('the command has a valid definition for Discord', () => {
  expect(command.toJSON()).toMatchObject({
    name: 'ledger',
    default_member_permissions: '32',
    options: [{ name: 'user', required: true, max_length: 80, type: 3 }],
  })
})

it('the command first defers the response, visible to its user only, then shows the newest purchases', async () => {
  const { sendCommand, requests } = withPurchases(25)

  const message = await sendCommand('84:12')

  expect(requests[0]).toEqual({ method: 'POST', body: { type: 5, data: { flags: 64 } } })
  expect(message.content).toMatch(/^<t:1767225625:d> 1 × item 25: \*\*10\.00\*\*\n/)
  expect(message.content).toMatch(/-# page 1 of 3$/)
  expect(buttonsOf(message)).toMatchObject([{ disabled: true }, { custom_id: 'ledger:2:84:12', disabled: false }])
})

it('a button shows the last page', async () => {
  const { pressButton } = withPurchases(25)

  const message = await pressButton('ledger:3:84:12')

  expect(message.content).toContain('item 1:')
  expect(message.content).toMatch(/-# page 3 of 3$/)
  expect(buttonsOf(message)).toMatchObject([{ custom_id: 'ledger:2:84:12', disabled: false }, { disabled: true }])
})

it('names in a message mention nobody and format nothing', async () => {
  const message = await withPurchases(1, '8412', () => '**@everyone**').sendCommand('8412')

  expect(message.allowed_mentions).toEqual({ parse: [] })
  expect(message.content).toContain(String.raw`\*\*@everyone\*\*`)
})

it.each([
  ['nobody', 'Nothing has been bought yet.'],
  ['..', 'This is not a user identifier.'],
])('the command shows a message for the user %s', async (platformId, content) => {
  const { sendCommand } = withPurchases(1)
  expect(await sendCommand(platformId)).toMatchObject({ content, components: [] })
})

it('the command shows a message when the ledger is down', async () => {
  const { sendCommand, guild } = withPurchases(1)
  guild.fault({ kind: 'reset' })
  expect(await sendCommand('84:12')).toMatchObject({
    content: 'The ledger cannot be reached right now.',
    components: [],
  })
})

it('the message is within the limit of Discord with long names', async () => {
  const message = await withPurchases(10, '8412', () => '*'.repeat(500)).sendCommand('8412')
  expect(message.content.length).toBeLessThanOrEqual(2000)
})

it('buttons of other messages are ignored', async () => {
  const { pressButton, requests } = withPurchases(1)
  await pressButton('poll:1')
  expect(requests).toEqual([])
})
