import { defineConfig } from '@playwright/test'
import { existsSync, readdirSync } from 'node:fs'
import { withoutOwnPages } from '../support/chromium.ts'

// Without a window Chromium takes a seventh less processor time; the desktop specs use the one with windows.
const systemChromium = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file))
const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.spec.ts'))

export default defineConfig({
  testDir: '.',
  // Workers are shared within a project only: each file has a server of its own, and finds nothing that others made.
  projects: files.map((name) => ({ name: name.replace('.spec.ts', ''), testMatch: name })),
  outputDir: '../../test-results/e2e',
  // A worker has a server, an executor with its workers, and a browser, and waits for one of them most of the time.
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  // On a loaded machine a browser can stall; `npm test` names each test that needed its second try.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    // A trace of every test is work for nothing; `--trace on` makes one of the test that fails.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 30_000,
    launchOptions: {
      args: ['--no-sandbox', withoutOwnPages],
      ...(systemChromium ? { executablePath: systemChromium } : {}),
    },
  },
})
