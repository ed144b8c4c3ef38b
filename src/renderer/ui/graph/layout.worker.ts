/** Lays graphs out beside the window's own thread, so that five hundred nodes never hold up a key stroke. */
import { layoutGraph } from './layout.ts'
import type { LayoutRequest } from './graph.types.ts'

globalThis.addEventListener('message', ({ data }: MessageEvent<{ id: number; request: LayoutRequest }>) => {
  try {
    globalThis.postMessage({ id: data.id, layout: layoutGraph(data.request) })
  } catch (error) {
    globalThis.postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error) })
  }
})
