// The executor process with the worker of the tests.
import { join } from 'node:path'
import { runExecutor } from '../../../../src/executor/run-executor.ts'

await runExecutor(join(import.meta.dirname, 'fake-worker.js'))
