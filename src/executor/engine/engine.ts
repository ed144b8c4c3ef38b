import type { Engine } from '../worker-protocol.ts'
import { runCall } from './calls.ts'
import { warmDuckDb } from './duckdb.ts'
import { runPipeline } from './run-pipeline.ts'

/** What a worker hosts. */
export const engine: Engine = {
  runPipeline,
  runCall,
  async warmUp() {
    await warmDuckDb()
  },
}
