import { expect } from '@playwright/test'
import { test } from './fixtures.js'

/** The page under test: shows how many transactions the guild has. */
const html = (key) => `<p role="status"></p><script type="module">
  const response = await fetch('${process.env.MOCK_URL}/guild/ledger/transactions', {
    headers: { 'x-api-key': '${key}' },
  })
  const { pagination, message } = await response.json()
  document.querySelector('p').textContent = pagination?.total ?? message
</script>`

test('shows the number of transactions', async ({ page, guild }) => {
  await page.setContent(html(guild.apiKey))
  await expect(page.getByRole('status')).toHaveText('40')
})

test('shows why there are none', async ({ page }) => {
  await page.setContent(html('mistyped'))
  await expect(page.getByRole('status')).toHaveText(/invalid API key/)
})
