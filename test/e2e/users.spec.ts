import { createUser } from '../../src/contract/users.ts'
import { expect, test } from '../support/e2e.ts'

test('the list of users has room for an email of common length', async ({ page, api }) => {
  const email = 'margaret.hamilton@example.org'
  const more = { display_name: 'Margaret Hamilton', email, password_change_required: false }
  await api(createUser, { body: { username: 'margaret', password: 'a bird in the bush', role: 'admin', ...more } })
  await page.goto('/users?q=margaret')
  const cell = page.getByRole('row', { name: /margaret/ }).getByRole('gridcell', { name: email })
  await expect(cell).toBeVisible()
  const cut = await cell.evaluate((element) =>
    [element, ...element.querySelectorAll('[aria-hidden]')].some((part) => part.scrollWidth > part.clientWidth),
  )
  expect(cut).toBe(false)
})
