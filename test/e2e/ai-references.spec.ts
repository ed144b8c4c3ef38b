// References for the AI in a browser: made by hand and from files, previewed, changed, and deleted, by keyboard.
import { expect, expectAccessible, test } from '../support/e2e.ts'

test('a reference is created, found, previewed, changed, and deleted by keyboard', async ({ page }) => {
  test.slow()
  await page.goto('/settings/ai-references')
  await expect(page.getByText('No references yet')).toBeVisible()
  await page.keyboard.press('c')
  await page.getByRole('textbox', { name: 'Title' }).fill('Orders')
  await page.getByRole('textbox', { name: 'Content' }).fill('# Orders\n\nOne row per order. Refunds are negative.')
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Title' }).press('Enter')
  const row = page.getByRole('row', { name: /Orders/ })
  await expect(row).toBeVisible()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Load the refunds')
  await page.getByRole('button', { name: 'Show parts' }).click()
  await expect(page.getByRole('region', { name: 'Parts that the prompt uses' })).toContainText('Refunds are negative')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete Orders' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('No references yet')).toBeVisible()
})

test('files become references; those that are no text are named, and rows of a CSV file stay where they are', async ({
  page,
}) => {
  await page.goto('/settings/ai-references')
  await page.locator('input[type=file]').setInputFiles([
    { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from('id,name\n1,Ada\n') },
    { name: 'rules.md', mimeType: 'text/markdown', buffer: Buffer.from('# Rules\n\nTrim names.') },
    { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0x50, 0xff, 0x00]) },
  ])
  await expect(page.getByRole('alert', { name: /not added/ })).toContainText('photo.png: The file is not UTF-8 text.')
  await expect(page.getByRole('row', { name: /rules/ })).toContainText('Markdown')
  await page
    .getByRole('row', { name: /customers/ })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: /Edit/ }).click()
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveValue('id,name')
})
