/** ECharts with what is drawn here, and nothing more: the window loads it with its first chart. */
import { BarChart, HeatmapChart, LineChart, PieChart, ScatterChart } from 'echarts/charts'
import { AriaComponent, GridComponent, VisualMapContinuousComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

use([
  LineChart,
  BarChart,
  PieChart,
  ScatterChart,
  HeatmapChart,
  GridComponent,
  AriaComponent,
  VisualMapContinuousComponent,
  CanvasRenderer,
])

export const startChart = (host: HTMLElement) => init(host, null, { renderer: 'canvas' })
