import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { builtEntry } from './test/support/entries.ts'

/** What takes minutes: the deaths, which wait most of the time, and the walks through every operation. Begun last, they would be waited for alone. */
const longest = [
  '/executor/faults/values',
  '/faults/kill-',
  '/contract/',
  '/server/backups/',
  '/executor/process/',
  '/executor/faults/',
]
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- A sequencer's sort, not that of arrays.
    const sorted = await super.sort(files)
    const isLong = (file: TestSpecification, part: string) => file.moduleId.includes(part)
    const first = longest.flatMap((part) => sorted.filter((file) => isLong(file, part)))
    return [...new Set([...first, ...sorted])]
  }
}

const built = builtEntry('server')
/** Threads are started as they are shipped: from the sources, each reads and compiles hundreds of modules anew. */
const builtThreads: Plugin = {
  name: 'headgate-built-threads',
  enforce: 'pre',
  transform: {
    filter: { id: /[\\/]src[\\/](server|executor)[\\/].*\bthread\.ts$/ },
    handler: (code) => (built ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(built))) : undefined),
  },
}

/**
 * Whole systems, packages, the engine, whose memory stays with a process, and what measures its own thread or memory. All others
 * leave nothing behind in theirs, and share it.
 */
const apart = [
  'test/{bench,desktop,differential,evals,faults,package}/**/*.test.ts',
  'test/executor/**/*.test.ts',
  'test/server/{ai/hostile-texts,exchange/bundle-format,platform/http-json-body,readings/hostile-yaml,uploads/uploads.routes}.test.ts',
]

export default defineConfig({
  plugins: [builtThreads],
  test: {
    // Real servers, databases and child processes on two shared cores: slow is not broken.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    // Processes are killed at chosen moments, which a crowded machine can move. The report names what needed a second try.
    retry: process.env['CI'] ? 1 : 0,
    expect: { poll: { timeout: 60_000 } },
    setupFiles: ['test/support/patterns.ts'],
    pool: 'forks',
    // Many wait, for processes, servers and leases: two at a time leave half of two cores idle.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // drizzle-orm's hundreds of modules load far faster through the bundler than through Node.
    server: { deps: { inline: ['drizzle-orm'] } },
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      // To start a process and load everything anew takes many longer than the tests themselves.
      {
        extends: true,
        test: { name: 'together', include: ['test/**/*.test.{ts,tsx}'], exclude: apart, isolate: false },
      },
    ],
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
})
