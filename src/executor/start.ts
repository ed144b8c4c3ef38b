// The executor process. Only looks whether this Node can run the rest, which is loaded after that.
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 22

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  process.stderr.write(
    `executor: Node ${process.versions.node} is too old, ${OLDEST_NODE} or newer is needed; \`npm run executor\` brings its own.\n`,
  )
  process.exit(1)
}

const { runExecutor } = await import('./run-executor.ts')
// Beside this file, in the sources and in the build.
const workerEntry = new URL(import.meta.url.endsWith('.ts') ? 'worker.ts' : 'worker.js', import.meta.url)
await runExecutor(fileURLToPath(workerEntry))
