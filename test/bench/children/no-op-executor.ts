// The executor process with workers that do nothing.
import { join } from 'node:path'
import { runExecutor } from '../../../src/executor/run-executor.ts'

await runExecutor(join(import.meta.dirname, 'no-op-worker.ts'))
