import { type JsonataAnswer, type JsonataQuestion, mostSeconds } from './jsonata.types.ts'

/** The worker ends itself between two steps; one step that takes longer is ended from here. */
const graceMs = 2_000

/** Evaluates in a worker of its own, which ends with the answer, the time, or the signal. */
export function evaluateJsonata(question: JsonataQuestion, signal: AbortSignal): Promise<JsonataAnswer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('jsonata.worker.ts', import.meta.url), { type: 'module' })
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      worker.terminate()
    }
    const settle = (answer: JsonataAnswer) => {
      end()
      resolve(answer)
    }
    const stop = () => {
      end()
      reject(new DOMException('Stopped', 'AbortError'))
    }
    const timer = setTimeout(() => settle({ kind: 'late', seconds: mostSeconds }), mostSeconds * 1000 + graceMs)
    signal.addEventListener('abort', stop)
    worker.addEventListener('message', ({ data }: MessageEvent<JsonataAnswer>) => settle(data))
    worker.addEventListener('error', (event) => {
      end()
      reject(new Error(event.message || 'The worker ended, possibly because of too little memory.'))
    })
    worker.postMessage(question)
  })
}
