// A worker whose tasks do nothing but say so: what is left is the cost of running a task at all.
import { serveWorker } from '../../../src/executor/workers/worker-host.ts'

serveWorker({
  runTask: async (_plan, io) => {
    io.log('info', 'Nothing to do')
    const metrics = { rows_in: 0, rows_out: 0, rejected: 0, lane: 'none' }
    return { status: 'success', item_count: 0, reject_count: 0, steps: [], metrics }
  },
  runCall: async () => {
    throw new Error('Not asked for by benchmarks')
  },
  openResult: async () => {
    throw new Error('Not asked for by benchmarks')
  },
})
