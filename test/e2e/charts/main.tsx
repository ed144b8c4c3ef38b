/** A page with nothing but charts, given by the spec: each loads the drawing as a page of the window does. */
import '@fontsource-variable/inter/wght.css'
import '../../../src/renderer/ui/layers.css'
import '@mantine/core/styles.layer.css'
import '../../../src/renderer/ui/global.css'
import { MantineProvider } from '@mantine/core'
import { createRef } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '../../../src/renderer/i18n/i18n.ts'
import { Chart, type ChartHandle, type ChartProps } from '../../../src/renderer/ui/chart/Chart.tsx'
import type { ChartPick } from '../../../src/renderer/ui/chart/ChartPlot.tsx'
import { useLooks } from '../../../src/renderer/ui/looks.ts'
import { colorSchemeManager, cssVariablesOf, ownTokens, themeWith } from '../../../src/renderer/ui/theme.ts'

export type Shown = Pick<ChartProps, 'label' | 'spec' | 'data' | 'asTable' | 'chosen'>

export interface ChartPage {
  show(charts: readonly Shown[]): void
  picks: ChartPick[]
  /** Bytes of the first one's picture. */
  png(): Promise<number[]>
}
declare global {
  interface Window {
    charts: ChartPage
  }
}

const handle = createRef<ChartHandle>()

function Charts({ charts }: { charts: readonly Shown[] }) {
  const { contrast } = useLooks()
  return (
    <MantineProvider
      theme={themeWith({ close: 'Close' }, 'reduced')}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariablesOf(ownTokens[contrast])}
      deduplicateInlineStyles
    >
      <div
        style={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(560px, 1fr))', gap: 16, padding: 16 }}
      >
        {charts.map((chart, index) => (
          <section key={chart.label} style={{ display: 'flex', flexDirection: 'column', height: 280 }}>
            <h2 style={{ font: '600 13px inherit', margin: '0 0 4px' }}>{chart.label}</h2>
            <Chart
              {...chart}
              ref={index === 0 ? handle : undefined}
              onPick={(pick) => window.charts.picks.push(pick)}
            />
          </section>
        ))}
      </div>
    </MantineProvider>
  )
}

await startI18n()
const root = createRoot(document.getElementById('root')!)
window.charts = {
  picks: [],
  show: (charts) => root.render(<Charts charts={charts} />),
  png: async () => [...new Uint8Array(await (await handle.current!.png()).arrayBuffer())],
}
