import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { DocumentValues } from '../../platform/documents/documents.store.ts'
import type { JudgeAhead, Judgement } from '../../platform/record-imports.ts'

/** Reads texts of tasks beside everything else: half of the work of an import. End it. */
export function startTaskJudgeThread(): JudgeAhead<DocumentValues> {
  const thread = new Worker(entry(), { name: 'task-judge' })
  // An import that is forgotten must not keep the server.
  thread.unref()
  const waiting: PromiseWithResolvers<Judgement<DocumentValues>[]>[] = []
  let ended: Error | undefined
  const fail = (error: Error) => {
    ended ??= error
    for (const { reject } of waiting.splice(0)) reject(ended)
  }
  thread.on('message', (judgements: Judgement<DocumentValues>[]) => waiting.shift()?.resolve(judgements))
  thread.on('error', fail)
  thread.on('exit', (code) => fail(new Error(`The thread that reads tasks ended with ${code}`)))
  return {
    judge(texts) {
      if (ended) return Promise.reject(ended)
      const answer = Promise.withResolvers<Judgement<DocumentValues>[]>()
      waiting.push(answer)
      thread.postMessage(texts)
      return answer.promise
    },
    end: () => void thread.terminate(),
  }
}

/** Beside this module in the sources, in the build an entry of its own. */
function entry(): URL {
  const places = ['./task-judge.worker.ts', './task-judge.js', '../task-judge.js']
  const found = places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url))
  if (!found) throw new Error('The part that reads tasks beside the server is missing: build Headgate again')
  return found
}
