import { Input, NativeSelect, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { customMetricKinds, metricAggregates } from '../../../contract/custom-metrics.ts'
import type { MetricsConfig } from '../../../contract/metrics.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { SourceFields, ThresholdFields } from './CustomMetricFields.tsx'
import {
  type Aggregate,
  type MetricDraft,
  draftOf,
  fieldOfPath,
  metricOf,
  missing,
  nameFits,
} from './custom-metric-draft.ts'
import { metricIn, useSaveMetric } from './use-save-metric.ts'

interface FormProps {
  config: MetricsConfig
  /** null: a new one. */
  name: string | null
  start: Partial<MetricDraft>
  onDone(saved?: string): void
}

function MetricForm({ config, name, start, onDone }: FormProps) {
  const { t } = useTranslation('metrics')
  const { t: tUi } = useTranslation()
  const [draft, setDraft] = useState(() => draftOf(name === null ? null : (metricIn(config, name) ?? null), start))
  const [tried, setTried] = useState(false)
  const { save, busy, error, theirs, settle } = useSaveMetric(config, name)
  const change = (values: Partial<MetricDraft>) => setDraft((now) => ({ ...now, ...values }))
  const gaps = missing(draft)
  const taken = name === null && metricIn(config, draft.name.trim()) !== undefined
  const refused = new Map(error?.details.map(({ path, message }) => [fieldOfPath(path), message]))
  const errorOf = (field: keyof MetricDraft) => {
    if (tried && gaps.includes(field)) return tUi('form.required')
    if (field === 'name' && tried && !nameFits(draft.name)) return t('form.nameBad')
    if (field === 'name' && taken && !busy) return t('form.nameTaken')
    return refused.get(field)
  }
  const submit = () => {
    setTried(true)
    if (theirs || taken || gaps.length > 0 || !nameFits(draft.name)) return
    const metric = metricOf(draft)
    save(metric, () => {
      notifications.show({ message: t('form.saved', { name: metric.name }) })
      onDone(metric.name)
    })
  }
  const isFreshness = draft.kind === 'freshness'
  const fields = { draft, change, errorOf }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap={12}>
        <TextInput
          label={t('form.name')}
          description={t('form.nameHint')}
          withAsterisk
          disabled={name !== null}
          data-autofocus={name === null || undefined}
          value={draft.name}
          error={errorOf('name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('form.description')}
          maxLength={500}
          data-autofocus={name !== null || undefined}
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <Input.Wrapper label={t('form.kind')} description={t(`kindHints.${draft.kind}`)} labelElement="div">
          <SegmentedControl
            fullWidth
            mt={4}
            aria-label={t('form.kind')}
            value={draft.kind}
            data={customMetricKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            onChange={(kind) => change({ kind })}
          />
        </Input.Wrapper>
        <SourceFields {...fields} />
        {isFreshness ? null : (
          <>
            <ThresholdFields {...fields} />
            <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 8 }}>
              <TextInput
                label={t('form.unit')}
                maxLength={20}
                value={draft.unit}
                error={errorOf('unit')}
                onChange={(event) => change({ unit: event.currentTarget.value })}
              />
              <NativeSelect
                label={t('form.aggregate')}
                value={draft.aggregate ?? 'last'}
                data={metricAggregates.map((value) => ({ value, label: t(`aggregates.${value}`) }))}
                onChange={(event) => change({ aggregate: event.currentTarget.value as Aggregate })} // one of the options
              />
            </div>
          </>
        )}
        <DialogFoot
          error={error && error.details.every(({ path }) => fieldOfPath(path) === null) ? error.message : undefined}
          overtaken={
            theirs && {
              onKeep: settle,
              onTake: () => {
                setDraft(draftOf(theirs))
                settle()
              },
            }
          }
          submitLabel={name === null ? t('form.create') : t('form.save')}
          busy={busy}
          onCancel={() => onDone()}
        />
      </Stack>
    </form>
  )
}

interface CustomMetricDialogProps extends Omit<FormProps, 'config' | 'onDone'> {
  config: MetricsConfig | undefined
  opened: boolean
  onClose(saved?: string): void
}

export function CustomMetricDialog({ opened, config, name, start, onClose }: CustomMetricDialogProps) {
  const { t } = useTranslation('metrics')
  return (
    <FormDialog
      opened={opened && config !== undefined}
      onClose={() => onClose()}
      title={name === null ? t('form.create') : t('form.titleEdit', { name })}
      size={560}
    >
      {config ? <MetricForm key={name ?? ''} config={config} name={name} start={start} onDone={onClose} /> : null}
    </FormDialog>
  )
}
