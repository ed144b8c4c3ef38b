// What AI has used: the budget of today, a month by model and person, and its cost once a price is set.
import { updateServerConfig } from '../../src/contract/server-config.ts'
import { generateTask } from '../../src/contract/ai.ts'
import { createApiKey } from '../../src/contract/api-keys.ts'
import { picture } from '../support/ai-page.ts'
import { expect, expectAccessible, test } from '../support/e2e.ts'
import { startFakeAi } from '../support/fake-ai.ts'

test('usage is shown against the budget, and its cost once a price is set', async ({ page, api, baseURL }) => {
  const fake = await startFakeAi()
  fake.reply({ text: 'no task' })
  const values = {
    'ai.provider': 'compatible',
    'ai.base_url': fake.url,
    'ai.model': 'model <b>1</b>',
    'ai.api_key': 'a-key-of-tests',
    'ai.daily_tokens': 300,
  }
  await api(updateServerConfig, { body: { values } })
  await page.goto('/settings/ai-usage')
  await expect(page.getByText('No AI usage in the last 30 days')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'usage-none')

  const { key } = await api(createApiKey, { body: { name: 'usage' } })
  const ask = async () => {
    const asked = await fetch(`${baseURL}${generateTask.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'x' }),
    })
    await asked.text()
  }
  await ask()
  await page.reload()
  await expect(page.getByText('240 of 300 tokens')).toBeVisible()
  await expect(page.getByRole('meter', { name: 'Today’s budget' })).toHaveAttribute('aria-valuenow', '80')
  const byModel = page.getByRole('region', { name: 'By model' })
  await expect(byModel.getByRole('row', { name: 'model <b>1</b>' })).toContainText('200')
  await expect(page.getByText('No prices are set')).toBeVisible()
  await expect(byModel.getByRole('columnheader', { name: 'Cost' })).toBeHidden()

  await page.getByRole('link', { name: 'Open AI configuration' }).click()
  const prices = page.getByRole('combobox', { name: 'AI prices' })
  await prices.fill('model <b>1</b> 1000 5000')
  await prices.press('Enter')
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await page.getByRole('link', { name: 'AI usage' }).last().click()
  await expect(byModel.getByRole('row', { name: 'model <b>1</b>' })).toContainText('$0.40')
  await expectAccessible(page)
  await picture(page, 'usage')

  const month = page.getByRole('region', { name: 'Last 30 days' })
  await expect(month).toContainText('· US$0.40')
  await api(updateServerConfig, { body: { values: { 'ai.model': 'unpriced' } } })
  await ask()
  await page.reload()
  await expect(byModel.getByRole('row', { name: 'unpriced' })).toContainText('No price')
  await expect(month).toContainText('· At least US$0.40')
  await fake.close()
})
