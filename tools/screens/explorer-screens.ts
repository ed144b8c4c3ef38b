// What the Explorer shows of the demo's warehouse.
import type { Page } from 'playwright'
import type { Screen } from './screen.types.ts'
import type { Records } from './workspaces.ts'

const full = ['full'] as const
const weather = ({ connector }: Records) =>
  connector > 0 ? `/explorer?connector=${connector}&resource=weather_monthly` : null

export const explorerScreens: readonly Screen[] = [
  { name: 'explorer', address: () => '/explorer', in: ['empty', 'full'] },
  { name: 'explorer-result', address: weather, in: full },
  {
    name: 'explorer-failed',
    address: weather,
    after: async (page: Page) => {
      await page.locator('.cm-content').filter({ visible: true }).first().click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText('SELECT month, rain FROM weather_monthly')
      await page.keyboard.press('Control+Enter')
    },
    in: full,
  },
  {
    name: 'explorer-presets',
    address: weather,
    after: (page: Page) => page.getByRole('tab', { name: 'Presets' }).click(),
    in: full,
  },
  {
    name: 'explorer-insert',
    address: weather,
    after: async (page: Page) => {
      for (const name of ['Builder', 'Insert'])
        await page.getByText(name, { exact: true }).filter({ visible: true }).first().click()
    },
    in: full,
  },
]
