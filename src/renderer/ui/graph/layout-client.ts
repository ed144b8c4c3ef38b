import { askWorker } from '../worker-questions.ts'
import { nodeSize } from './graph.types.ts'
import type { layoutGraph } from './layout.ts'

/** The one worker of the window, started with the first graph. */
export const layoutInWorker = askWorker<typeof layoutGraph>(
  () => new Worker(new URL('layout.worker.ts', import.meta.url), { type: 'module' }),
)

/** Starts the worker while what it will lay out is still on its way. */
export const prepareLayout = () => layoutInWorker({ direction: 'right', size: nodeSize, ids: [], edges: [] })
