// The entry of the thread: texts in, what they say out, one after another.
import { parentPort } from 'node:worker_threads'
import { readWith, type Wanted } from './reading.rules.ts'

// Started by reading-thread.ts alone.
parentPort!.on('message', (wanted: Wanted) => parentPort!.postMessage(readWith(wanted)))
