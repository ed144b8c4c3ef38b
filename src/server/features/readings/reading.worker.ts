// The entry of the thread: texts in, what they say out, one after another.
import { parentPort } from 'node:worker_threads'
import { type Wanted, type Work, doWork, readWith } from './reading.rules.ts'

// Started by reading-thread.ts alone.
parentPort!.on('message', (asked: Wanted | Work) =>
  parentPort!.postMessage('work' in asked ? doWork(asked) : readWith(asked)),
)
