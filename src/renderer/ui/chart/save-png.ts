import { downloadBlob } from '../download.ts'
import type { ChartHandle } from './Chart.tsx'

/** The picture of a chart as a file of this name. */
export async function savePng(chart: ChartHandle | null, name: string): Promise<void> {
  const png = await chart?.png()
  if (png) downloadBlob(`${name.replace(/[^\w.-]+/g, '_')}.png`, png)
}
