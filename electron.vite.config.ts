import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { docsPlugin } from './tools/docs/vite-plugin.ts'
import { publicPagePlugin } from './tools/public-page.ts'

/** Pages have paths of their own (/runs/7), so assets are named from the root; electron-vite would name them beside the page. */
const assetsFromRoot: Plugin = { name: 'assets-from-root', enforce: 'post', config: () => ({ base: '/' }) }

/**
 * What many pages share comes in three files. Left alone it would be a file for each set of pages that share something: more than a
 * hundred before the first page is seen, and asking for a file takes longer than reading it.
 */
const scripts = [
  { name: 'start', tags: ['$initial' as const], priority: 3 },
  { name: 'contract', test: /src[\\/]contract[\\/]/, minShareCount: 2, priority: 2 },
  {
    name: 'parts',
    test: /@tabler|@mantine|src[\\/]renderer[\\/](ui[\\/][^\\/]+$|api|commands)/,
    minShareCount: 4,
    priority: 1,
  },
]

// Everything but the packages with native parts or files of their own (`dependencies` in package.json) is bundled: an
// unbundled drizzle-orm alone costs 700 ms and 280 MB at start.
export default defineConfig({
  main: {
    build: {
      rollupOptions: {
        input: {
          index: resolve('src/main/index.ts'),
          server: resolve('src/server/start.ts'),
          executor: resolve('src/executor/start.ts'),
          worker: resolve('src/executor/worker.ts'),
          'store-thread': resolve('src/server/platform/store-thread.worker.ts'),
          'task-judge': resolve('src/server/features/tasks/task-judge.worker.ts'),
          readings: resolve('src/server/features/readings/reading.worker.ts'),
          headgate: resolve('src/cli/headgate.ts'),
          sandbox: resolve('src/executor/sandbox/sandbox.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  // Sandboxed preloads cannot be ES modules.
  preload: {
    build: {
      rollupOptions: {
        input: { preload: resolve('src/main/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [react(), docsPlugin(), assetsFromRoot, publicPagePlugin()],
    build: {
      minify: true,
      // It counts for downloads; these come from this machine.
      chunkSizeWarningLimit: Infinity,
      rollupOptions: { input: resolve('src/renderer/index.html'), output: { codeSplitting: { groups: scripts } } },
    },
  },
})
