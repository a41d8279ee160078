import { test as base } from '@playwright/test'

/** Sends a request to the admin API of the mock. */
const admin = async (path, body = {}) => {
  const response = await fetch(`${process.env.MOCK_URL}/_mock/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  return response.status === 204 ? undefined : response.json()
}

export const test = base.extend({
  /** A guild for each worker, so that workers do not disturb each other. */
  guild: [
    async ({}, use) => {
      await use(await admin('guilds', { users: 3, transactions: 40 }))
    },
    { scope: 'worker' },
  ],
  /** Before each test, the guild is as it was created. */
  resetGuild: [
    async ({ guild }, use) => {
      await admin(`guilds/${guild.id}/reset`)
      await use()
    },
    { auto: true },
  ],
})
