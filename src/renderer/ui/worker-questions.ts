/** Questions to a worker and its answers: what takes long goes on beside the window's own thread. */

type Answer<T> = { id: number; answer: T } | { id: number; error: string }
interface Waiting<T> {
  resolve(answer: T): void
  reject(error: Error): void
}

/** Asks one worker for what a function answers there. It starts with the first question; one that fails is started again by the next. */
export function askWorker<Work extends (question: never) => unknown>(
  start: () => Worker,
): (question: Parameters<Work>[0]) => Promise<ReturnType<Work>> {
  const waiting = new Map<number, Waiting<ReturnType<Work>>>()
  let worker: Worker | undefined
  let asked = 0
  const fail = (message: string) => {
    worker?.terminate()
    worker = undefined
    for (const { reject } of waiting.values()) reject(new Error(message))
    waiting.clear()
  }
  const begin = () => {
    const started = start()
    started.addEventListener('message', ({ data }: MessageEvent<Answer<ReturnType<Work>>>) => {
      const one = waiting.get(data.id)
      waiting.delete(data.id)
      if ('answer' in data) one?.resolve(data.answer)
      else one?.reject(new Error(data.error))
    })
    started.addEventListener('error', (event) => fail(event.message || 'The worker could not be loaded'))
    return started
  }
  return (question) =>
    new Promise((resolve, reject) => {
      worker ??= begin()
      asked += 1
      waiting.set(asked, { resolve, reject })
      worker.postMessage({ id: asked, question })
    })
}

/** What stands in the worker: one answer for each question, in their order. The window asks what the function takes. */
export function answerQuestions(answer: (question: never) => unknown): void {
  globalThis.addEventListener('message', ({ data }: MessageEvent<{ id: number; question: never }>) => {
    try {
      globalThis.postMessage({ id: data.id, answer: answer(data.question) })
    } catch (error) {
      globalThis.postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error) })
    }
  })
}
