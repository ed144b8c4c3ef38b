import { untilLoaded } from '../lazy-part.ts'
import type { ChartType } from './plot.rules.ts'

const line = () => import('./engine-line.ts')
const bar = () => import('./engine-bar.ts')
const kinds: Readonly<Record<ChartType, () => Promise<unknown>>> = {
  line,
  area: line,
  bar,
  stacked: bar,
  pie: () => import('./engine-pie.ts'),
  scatter: () => import('./engine-scatter.ts'),
  heatmap: () => import('./engine-heatmap.ts'),
}

/** What draws this kind of chart. Who knows early that there will be one asks for it then: it loads while the rows are on their way. */
export async function loadEngine(kind: ChartType) {
  const [engine] = await Promise.all([untilLoaded(() => import('./engine.ts')), untilLoaded(kinds[kind])])
  return engine
}
