import { NumberInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type MetricsConfig, getMetricsConfig, updateMetricsConfig } from '../../../contract/metrics.ts'
import { call } from '../../api/client.ts'
import { useSaveOver } from '../../api/save-over.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'

const fields = { retention_days: 36_500, prometheus_tasks: 5000 } as const
type Field = keyof typeof fields
type Values = Record<Field, number | string>
const valuesOf = ({ retention_days, prometheus_tasks }: MetricsConfig): Values => ({ retention_days, prometheus_tasks })

function SettingsForm({ config, onDone }: { config: MetricsConfig; onDone: () => void }) {
  const { t } = useTranslation('metrics')
  const { t: tUi } = useTranslation()
  const [values, setValues] = useState(() => valuesOf(config))
  const { error, busy, theirs, settle, save } = useSaveOver<MetricsConfig, Record<Field, number>>({
    opened: config,
    read: () => call(getMetricsConfig, {}),
    held: valuesOf,
    put: (_, body, headers) => call(updateMetricsConfig, { body, headers }),
    invalidates: ['getMetricsConfig'],
  })
  const submit = () => {
    const { retention_days, prometheus_tasks } = values
    if (theirs || typeof retention_days !== 'number' || typeof prometheus_tasks !== 'number') return
    save({ retention_days, prometheus_tasks }, () => {
      notifications.show({ message: t('settings.saved') })
      onDone()
    })
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap={12}>
        {(Object.keys(fields) as Field[]).map((field, at) => (
          // its own names
          <NumberInput
            key={field}
            size="xs"
            label={t(`settings.${field}`)}
            description={t(`settings.${field}Hint`)}
            withAsterisk
            min={0}
            max={fields[field]}
            allowDecimal={false}
            data-autofocus={at === 0 || undefined}
            value={values[field]}
            error={typeof values[field] === 'number' ? error?.detailFor(field)?.message : tUi('form.required')}
            onChange={(value) => setValues((now) => ({ ...now, [field]: value }))}
          />
        ))}
        <DialogFoot
          error={error?.message}
          overtaken={
            theirs && {
              onKeep: settle,
              onTake: () => {
                setValues(valuesOf(theirs))
                settle()
              },
            }
          }
          submitLabel={t('form.save')}
          busy={busy}
          onCancel={onDone}
        />
      </Stack>
    </form>
  )
}

/** How long metrics are kept, and what Prometheus sees. */
export function MetricSettingsDialog({ config, onClose }: { config: MetricsConfig | null; onClose: () => void }) {
  const { t } = useTranslation('metrics')
  return (
    <FormDialog opened={config !== null} onClose={onClose} title={t('settings.title')} size={420}>
      {config ? <SettingsForm config={config} onDone={onClose} /> : null}
    </FormDialog>
  )
}
