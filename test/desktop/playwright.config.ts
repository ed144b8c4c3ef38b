import { defineConfig } from '@playwright/test'
import { findShell } from './launch.ts'

// Said once, by the process that starts the workers: a run on the stand-in proves less than one on Electron.
if (process.env.TEST_WORKER_INDEX === undefined) {
  const { kind, executable } = findShell()
  console.log(`Desktop specs run on ${kind === 'electron' ? 'Electron' : 'the stand-in'} (${executable}).`)
}

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results/desktop',
  // Each test starts an app with a server, an executor and a browser.
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
})
