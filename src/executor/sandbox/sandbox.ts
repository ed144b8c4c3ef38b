// The thread in which code of users runs: nothing of it is ever run in a process' own thread.
import { parentPort, workerData } from 'node:worker_threads'
import type { SandboxWork } from './sandbox.types.ts'

const work = workerData as SandboxWork // what `startThread` gives
if (!parentPort) throw new Error('sandbox: started as a thread only')
if (work.kind === 'map') (await import('./map-thread.ts')).serveMap(work, parentPort)
else await (await import('./script-thread.ts')).runScript(work, parentPort)
