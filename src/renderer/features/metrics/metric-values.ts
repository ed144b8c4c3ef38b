/** How the states of custom metrics look. */
import type { CustomMetricState } from '../../../contract/custom-metrics.ts'
import type { Status } from '../../ui/status.ts'

export const stateLook = {
  ok: 'ok',
  violated: 'failed',
  failing: 'lost',
  no_value: 'not_run',
} as const satisfies Record<CustomMetricState['state'], Status>
