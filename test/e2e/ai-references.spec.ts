// References for the AI in a browser: made by hand and from files, previewed, changed, and deleted, by keyboard alone, in each language.
import { aiReferences as german } from '../../src/renderer/i18n/de/ai-references.ts'
import { aiReferences as english } from '../../src/renderer/i18n/en/ai-references.ts'
import { picture, speak } from '../support/ai-page.ts'
import { expect, expectAccessible, tabTo, test } from '../support/e2e.ts'

for (const [language, t] of [
  ['en', english],
  ['de', german],
] as const)
  test(`a reference is created, uploaded, previewed, changed, and deleted by keyboard alone (${language})`, async ({
    page,
  }) => {
    test.slow()
    await page.goto('/settings/ai-references')
    await expect(page.getByText(english.empty.title)).toBeVisible()
    await speak(page, language)
    await expect(page.getByText(t.empty.title)).toBeVisible()
    await picture(page, 'references-empty')
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    const row = (title: RegExp) => page.getByRole('row', { name: title })

    await page.keyboard.press('c')
    await expect(dialog.getByRole('textbox', { name: t.form.title })).toBeFocused()
    await page.keyboard.type('Orders')
    await tabTo(page, dialog.getByRole('textbox', { name: t.form.content }))
    await page.keyboard.type('# Orders\n\nOne row per order. Refunds are negative.')
    await expectAccessible(page)
    await picture(page, 'references-form')
    await tabTo(page, dialog.getByRole('button', { name: t.form.create }))
    await page.keyboard.press('Enter')
    await expect(row(/Orders/)).toBeVisible()

    const chooser = page.waitForEvent('filechooser')
    await tabTo(page, button(t.upload))
    await page.keyboard.press('Enter')
    await (
      await chooser
    ).setFiles([{ name: 'taxes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Taxes\n\nIn cents.') }])
    await expect(row(/taxes/)).toBeVisible()
    await expectAccessible(page)
    await picture(page, 'references-list')

    await tabTo(page, button(t.preview.open))
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('textbox', { name: t.preview.prompt })).toBeFocused()
    await page.keyboard.type('Load the refunds')
    await tabTo(page, dialog.getByRole('button', { name: t.preview.show }))
    await page.keyboard.press('Enter')
    const parts = page.getByRole('region', { name: t.preview.parts })
    await expect(parts).toContainText('Refunds are negative')
    await expect(parts).toContainText('Orders › Orders')
    await expectAccessible(page)
    await picture(page, 'references-preview')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()

    const grid = page.getByRole('grid')
    await tabTo(page, grid)
    await page.keyboard.press('Home')
    await page.keyboard.press('e')
    await expect(dialog.getByRole('textbox', { name: t.form.title })).toBeFocused()
    await page.keyboard.press('End')
    await page.keyboard.type(' of 2026')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('row', { name: /of 2026/ })).toBeVisible()

    await tabTo(page, grid)
    for (const left of [1, 0]) {
      await page.keyboard.press('Home')
      await page.keyboard.press('Delete')
      await expect(dialog).toBeVisible()
      if (left === 1) await picture(page, 'references-delete')
      await tabTo(page, dialog.getByRole('button', { name: t.remove }))
      await page.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
      if (left > 0) await expect(grid.getByRole('row')).toHaveCount(left + 1)
    }
    await expect(page.getByText(t.empty.title)).toBeVisible()
  })

test('files that are dropped become references; a table gives its header, whichever line ends it has', async ({
  page,
}) => {
  await page.goto('/settings/ai-references')
  await expect(page.getByText('No references yet')).toBeVisible()
  const drop = (files: readonly (readonly [name: string, text: string])[]) =>
    page.evaluate((given) => {
      const dataTransfer = new DataTransfer()
      for (const [name, text] of given) dataTransfer.items.add(new File([text], name))
      const onto = document.querySelector('[data-own-drop]')
      for (const type of ['dragenter', 'dragover', 'drop'])
        onto?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
    }, files)
  await drop([
    ['old-mac.csv', 'id,name\r1,Ada\r2,Grace\r'],
    ['tabs.tsv', 'id\tname\n1\tAda\n'],
  ])
  for (const [title, header] of [
    ['old-mac', 'id,name'],
    ['tabs', 'id\tname'],
  ] as const) {
    const row = page.getByRole('row', { name: new RegExp(title) })
    await expect(row).toContainText('Schema')
    await row.getByRole('button', { name: 'Row actions' }).click()
    await page.getByRole('menuitem', { name: /Edit/ }).click()
    await expect(page.getByRole('textbox', { name: 'Content' })).toHaveValue(header)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
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
  // Tests before this one have left some.
  const count = page.getByText(/^\d+ references?$/)
  const counted = async () => Number.parseInt(await count.innerText(), 10)
  await expect.poll(counted).toBeGreaterThanOrEqual(2)
  const all = await counted()
  await page.getByRole('button', { name: 'Kind', exact: true }).click()
  await page.getByRole('option', { name: 'Schema' }).click()
  await expect(page.getByRole('row', { name: /rules/ })).toHaveCount(0)
  await expect.poll(counted).toBeLessThan(all)
  await page
    .getByRole('row', { name: /customers/ })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: /Edit/ }).click()
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveValue('id,name')
})
