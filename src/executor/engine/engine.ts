import type { Engine } from '../worker-protocol.ts'
import { runCall } from './calls.ts'
import { warmDuckDb } from './duckdb-instance.ts'
import { runTask } from './run-task.ts'

/** What a worker hosts. */
export const engine: Engine = {
  runTask,
  runCall,
  async warmUp() {
    await warmDuckDb()
  },
}
