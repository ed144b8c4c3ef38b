// The entry of the thread: one job, one answer.
import { parentPort, workerData } from 'node:worker_threads'
import { codeOf } from './data-folder.ts'
import { copyStoreInUse, inspectBackup, sealKept, stageBackup } from './store-copy.ts'
import { measureTables } from './store-measure.ts'
import type { StoreAnswer, StoreJob, StoreJobs } from './store-thread.ts'

const jobs: StoreJobs = {
  copy: copyStoreInUse,
  inspect: inspectBackup,
  stage: stageBackup,
  seal: sealKept,
  measure: measureTables,
}

async function work({ kind, job }: StoreJob): Promise<StoreAnswer> {
  try {
    // Kind and job belong together; TypeScript does not follow that through the lookup.
    return { value: await (jobs[kind] as (job: unknown) => unknown)(job) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error), code: codeOf(error) }
  }
}

// Started by store-thread.ts alone, with such a job.
parentPort!.postMessage(await work(workerData as StoreJob))
