// Starts an executor as the server would, so that a test can kill its owner.
import { join } from 'node:path'
import { forkNode } from '../../../../src/process/child.ts'
import { parentChannel } from '../../../../src/process/parent.ts'

const executor = forkNode(join(import.meta.dirname, 'fake-executor.js'), {
  name: 'executor',
  args: process.argv.slice(2),
  env: { SVC_EXECUTOR_KEY: process.env.EXECUTOR_KEY },
})
executor.onMessage((message) => parentChannel()?.send({ executor: executor.pid, message }))
