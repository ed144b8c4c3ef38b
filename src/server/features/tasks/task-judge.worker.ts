// The entry of the thread: texts of tasks in, judgements out, in the order in which they came.
import { parentPort } from 'node:worker_threads'
import { judgeTask } from './task-judge.ts'

// Started by task-judge-thread.ts alone, which sends lists of texts.
parentPort!.on('message', (texts: string[]) => parentPort!.postMessage(texts.map((yaml) => judgeTask(yaml))))
