// A worker: runs one piece of work after the other for the executor that started it, with the engine that it hosts.
import { engine } from './engine/engine.ts'
import { serveWorker } from './workers/worker-host.ts'

serveWorker(engine)
