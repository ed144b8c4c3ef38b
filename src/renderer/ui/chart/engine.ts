/** ECharts with what is drawn here, and nothing more: a page loads it with its first chart, and each kind with the first of its kind. */
import { AriaComponent, GridSimpleComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import type { ChartType } from './plot.rules.ts'

use([GridSimpleComponent, AriaComponent, CanvasRenderer])

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

/** What draws this kind of chart. */
export const loadChart = async (kind: ChartType): Promise<void> => void (await kinds[kind]())

export const startChart = (host: HTMLElement) => init(host, null, { renderer: 'canvas' })
