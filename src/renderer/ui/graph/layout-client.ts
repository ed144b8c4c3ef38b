import type { GraphLayout, LayoutRequest } from './graph.types.ts'

type Answer = { id: number; layout: GraphLayout } | { id: number; error: string }
interface Waiting {
  resolve(layout: GraphLayout): void
  reject(error: Error): void
}

const waiting = new Map<number, Waiting>()
let worker: Worker | undefined
let asked = 0

function fail(message: string): void {
  worker?.terminate()
  // The next request starts another one.
  worker = undefined
  for (const { reject } of waiting.values()) reject(new Error(message))
  waiting.clear()
}

function start(): Worker {
  const started = new Worker(new URL('layout.worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const one = waiting.get(data.id)
    waiting.delete(data.id)
    if ('layout' in data) one?.resolve(data.layout)
    else one?.reject(new Error(data.error))
  })
  started.addEventListener('error', (event) => fail(event.message || 'The layout worker could not be loaded'))
  return started
}

/** The one worker of the window, started with the first graph. */
export function layoutInWorker(request: LayoutRequest): Promise<GraphLayout> {
  return new Promise((resolve, reject) => {
    worker ??= start()
    asked += 1
    waiting.set(asked, { resolve, reject })
    worker.postMessage({ id: asked, request })
  })
}
