import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { msg } from '../../contract/messages.ts'
import { Refusal } from './refusal.ts'
import type { Copying, Inspecting, Inspection } from './store-copy.ts'
import type { TableSize } from './store-measure.ts'

/** What the thread can do, by name. */
export interface StoreJobs {
  copy: (job: Copying) => Promise<string>
  inspect: (job: Inspecting) => Inspection
  stage: (job: Inspecting & { target: string }) => Inspection
  seal: (job: { path: string }) => boolean
  measure: (job: { database: string }) => TableSize[]
}

export type StoreJob = { [K in keyof StoreJobs]: { kind: K; job: Parameters<StoreJobs[K]>[0] } }[keyof StoreJobs]
export type StoreAnswer = { value: unknown } | { error: string; code: string }

/**
 * Long work on database files in a thread of its own, which ends with it: requests go on meanwhile. Errors keep their code.
 * `end` ends the thread at the next moment that leaves nothing but temporary files; only then the promise settles, with a refusal.
 */
export async function inStoreThread<K extends keyof StoreJobs>(
  kind: K,
  job: Parameters<StoreJobs[K]>[0],
  end: AbortSignal,
): Promise<Awaited<ReturnType<StoreJobs[K]>>> {
  const ended = () => new Refusal('UNAVAILABLE', msg('server_ending'))
  if (end.aborted) throw ended()
  const thread = new Worker(entry(), { workerData: { kind, job }, name: `store-${kind}` })
  const terminate = () => void thread.terminate()
  end.addEventListener('abort', terminate, { once: true })
  try {
    const answer = await new Promise<StoreAnswer>((resolve, reject) => {
      thread.once('message', resolve)
      thread.once('error', reject)
      // After an answer this is heard by nobody.
      thread.once('exit', (code) =>
        reject(end.aborted ? ended() : new Error(`The thread that works on database files ended with ${code}`)),
      )
    })
    if ('error' in answer) throw Object.assign(new Error(answer.error), { code: answer.code })
    // The thread answers with what the function of this kind returned.
    return answer.value as Awaited<ReturnType<StoreJobs[K]>>
  } finally {
    end.removeEventListener('abort', terminate)
  }
}

/** Beside this module in the sources, in the build an entry of its own. */
function entry(): URL {
  const places = ['./store-thread.worker.ts', './store-thread.js', '../store-thread.js']
  const found = places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url))
  if (!found) throw new Error('The part that works on database files is missing: build Headgate again')
  return found
}
