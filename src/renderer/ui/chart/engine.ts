/** ECharts with what is drawn here, and nothing more: a page loads it with its first chart, and each kind with the first of its kind. */
import { AriaComponent, GridSimpleComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

use([GridSimpleComponent, AriaComponent, CanvasRenderer])

export const startChart = (host: HTMLElement) => init(host, null, { renderer: 'canvas' })
