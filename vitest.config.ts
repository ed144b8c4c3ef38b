import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    // Real servers, databases and child processes on two shared cores: slow is not broken.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
    // drizzle-orm's hundreds of modules load far faster through the bundler than through Node.
    server: { deps: { inline: ['drizzle-orm'] } },
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
})
