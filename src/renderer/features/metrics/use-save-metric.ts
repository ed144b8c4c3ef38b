import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { CustomMetric } from '../../../contract/custom-metrics.ts'
import { type MetricsConfig, getMetricsConfig, updateMetricsConfig } from '../../../contract/metrics.ts'
import { ApiFailure, call, ifMatch } from '../../api/client.ts'
import { useSaveOver } from '../../api/save-over.ts'

const invalidates = ['getMetricsConfig', 'listMetrics', 'getAttention', 'getLineage'] as const
const without = ({ custom }: MetricsConfig, name: string) => custom.filter((metric) => metric.name !== name)
export const metricIn = ({ custom }: MetricsConfig, name: string) => custom.find((metric) => metric.name === name)
const isConflict = (error: unknown) => error instanceof ApiFailure && error.code === 'CONFLICT'
const mostTries = 5

/** Changes the list of all metrics; what others do to other metrics at the same time stays. */
async function change(to: (now: MetricsConfig) => CustomMetric[]): Promise<MetricsConfig> {
  for (let tries = 1; ; tries++) {
    const now = await call(getMetricsConfig, {})
    try {
      return await call(updateMetricsConfig, { body: { custom: to(now) }, headers: ifMatch(now) })
    } catch (error) {
      if (!isConflict(error) || tries === mostTries) throw error
    }
  }
}

function useChange<Values>(to: (now: MetricsConfig, values: Values) => CustomMetric[]) {
  const client = useQueryClient()
  return useMutation<MetricsConfig, ApiFailure, Values>({
    mutationFn: (values) => change((now) => to(now, values)),
    onSuccess: async () => {
      await Promise.all(invalidates.map((id) => client.invalidateQueries({ queryKey: [id] })))
    },
  })
}

export const useRemoveMetric = () => useChange<string>(without)

/** Creates a metric (`name` null), or changes the one of this name. */
export function useSaveMetric(config: MetricsConfig, name: string | null) {
  const { t } = useTranslation('metrics')
  const create = useChange<CustomMetric>((now, metric) => {
    if (metricIn(now, metric.name)) throw new ApiFailure(409, 'CONFLICT', t('form.nameTaken'))
    return [...now.custom, metric]
  })
  const update = useSaveOver<MetricsConfig, CustomMetric>({
    opened: name === null ? null : config,
    read: () => call(getMetricsConfig, {}),
    held: (now) => (name === null ? null : metricIn(now, name)),
    put: (now, metric, headers) =>
      call(updateMetricsConfig, { body: { custom: [...without(now, metric.name), metric] }, headers }),
    invalidates,
  })
  return {
    error: create.error ?? update.error,
    busy: create.isPending || update.busy,
    theirs: update.theirs && name !== null ? (metricIn(update.theirs, name) ?? null) : null,
    settle: update.settle,
    save(metric: CustomMetric, onSaved: () => void) {
      if (name === null) create.mutate(metric, { onSuccess: onSaved })
      else update.save(metric, onSaved)
    },
  }
}
