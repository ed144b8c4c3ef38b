/** ECharts with what is drawn here, and nothing more: a page loads it with its first chart, and each kind with the first of its kind. */
import { AriaComponent, GridSimpleComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { scaleOf } from './scale.ts'

use([GridSimpleComponent, AriaComponent, CanvasRenderer])

/** As sharp as the screen is, also where the page around it is drawn larger. */
export const startChart = (host: HTMLElement) =>
  init(host, null, { renderer: 'canvas', devicePixelRatio: devicePixelRatio * scaleOf(host) })
