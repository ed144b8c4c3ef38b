import type { Engine } from '../worker-protocol.ts'
import { runCall } from './calls.ts'
import { warmDuckDb } from './duckdb-instance.ts'
import { protect } from './protected.ts'
import { openResult } from './open-result.ts'
import { runTask } from './run-task.ts'

/** What a worker hosts. */
export const engine: Engine = {
  runTask,
  runCall,
  openResult,
  protect,
  async warmUp() {
    await warmDuckDb()
  },
}
