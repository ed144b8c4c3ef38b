// What the specs of AI share: a provider, texts to change, the language of the window, and pictures of each look.
import { type Page, expect } from '@playwright/test'
import { mkdirSync } from 'node:fs'
import { updateServerConfig } from '../../src/contract/server-config.ts'
import type { Api } from './e2e.ts'
import type { FakeAi } from './fake-ai.ts'

export const yamlOf = (name: string): string => `# Kept
etl: 1
kind: pipeline
name: ${name}
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{a: 1}]}}
steps:
  - select: [a]
  - rename: {a: b}
  - cast: {b: integer}
  - filter: b > 0
target: {connector: out, file: {path: out.csv}}
`
export const fenced = (yaml: string): string => `\`\`\`yaml\n${yaml}\`\`\`\n`

export const configureAi = (api: Api, fake: FakeAi) =>
  api(updateServerConfig, {
    body: {
      values: {
        'ai.provider': 'compatible',
        'ai.base_url': fake.url,
        'ai.model': 'model-1',
        'ai.api_key': 'a-key-of-tests',
      },
    },
  })

/** As another window that changes the language: what is on the page stays. */
export async function speak(page: Page, language: 'en' | 'de'): Promise<void> {
  await page.evaluate((chosen) => {
    localStorage.setItem('headgate.language', chosen)
    dispatchEvent(new StorageEvent('storage', { key: 'headgate.language' }))
  }, language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

const screens = process.env['AI_SCREENS']
const looks = [
  ['light', { colorScheme: 'light', contrast: 'no-preference' }],
  ['dark', { colorScheme: 'dark', contrast: 'no-preference' }],
  ['contrast', { colorScheme: 'light', contrast: 'more' }],
] as const
const sizes = [
  [900, 700],
  [1920, 1080],
  [1280, 800],
] as const

/** With AI_SCREENS=FOLDER: each look at each width in each language; the page is as it was afterwards. */
export async function picture(page: Page, name: string): Promise<void> {
  if (screens === undefined) return
  mkdirSync(screens, { recursive: true })
  const before = (await page.locator('html').getAttribute('lang')) === 'de' ? 'de' : 'en'
  for (const language of ['en', 'de'] as const) {
    await speak(page, language)
    for (const [look, media] of looks) {
      await page.emulateMedia(media)
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height })
        await page.screenshot({ path: `${screens}/${name}-${look}-${width}-${language}.png` })
      }
    }
  }
  await speak(page, before)
  await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' })
}
