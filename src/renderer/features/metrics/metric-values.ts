/** How values of custom metrics are written. Pure. */
import type { CustomMetricState } from '../../../contract/custom-metrics.ts'
import { numberText, ratioText } from '../../ui/format.ts'
import type { Status } from '../../ui/status.ts'
import { bytesText, durationText } from '../../ui/time.ts'

export function metricValueText(value: number, unit: string): string {
  if (unit === 'ms') return durationText(Math.round(value))
  if (unit === 'bytes') return bytesText(value)
  if (unit === 'ratio') return ratioText(value)
  const text = numberText(value)
  return unit === '' ? text : `${text} ${unit}`
}

export const stateLook = {
  ok: 'ok',
  violated: 'failed',
  failing: 'lost',
  no_value: 'not_run',
} as const satisfies Record<CustomMetricState['state'], Status>
