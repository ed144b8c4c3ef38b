import { defineConfig } from '@playwright/test'
import { existsSync } from 'node:fs'

const systemChromium = '/usr/bin/chromium'

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results/e2e',
  // A worker has a server, an executor with its workers, and a browser: one is enough for two cores.
  workers: 1,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  // On a loaded machine a browser can stall; `npm test` names each test that needed its second try.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    trace: 'retain-on-failure',
    actionTimeout: 15_000,
    launchOptions: {
      args: ['--no-sandbox'],
      ...(existsSync(systemChromium) ? { executablePath: systemChromium } : {}),
    },
  },
})
