import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The deaths take minutes and wait most of the time: begun last, they would be waited for alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- A sequencer's sort, not that of arrays.
    const sorted = await super.sort(files)
    const long = (file: TestSpecification) => file.moduleId.includes('/faults/kill-')
    return [...sorted.filter(long), ...sorted.filter((file) => !long(file))]
  }
}

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
    sequence: { sequencer: LongestFirst },
    // drizzle-orm's hundreds of modules load far faster through the bundler than through Node.
    server: { deps: { inline: ['drizzle-orm'] } },
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
})
