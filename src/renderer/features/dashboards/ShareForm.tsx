import { NativeSelect, SegmentedControl, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DashboardDetail, createDashboardShare } from '../../../contract/dashboards.ts'
import { useAction } from '../../api/queries.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { dateText } from '../../ui/format.ts'
import { useNow } from '../../ui/ticker.ts'
import type { Choice } from './dashboard-choice.rules.ts'
import classes from './share.module.css'

const expiries = [1, 7, 30, 90, 365] as const
const never = 'never'
const filterModes = ['locked', 'free'] as const
const day = 86_400_000

interface ShareFormProps {
  dashboard: DashboardDetail
  filters: Choice['filters']
  onMade: (path: string) => void
  onCancel: () => void
}

export function ShareForm({ dashboard, filters, onMade, onCancel }: ShareFormProps) {
  const { t } = useTranslation('shares')
  const now = useNow()
  const filtersId = useId()
  const create = useAction(createDashboardShare, {
    invalidates: ['listDashboardShares', 'listAllShares', 'listDashboards', 'getDashboard'],
  })
  const [name, setName] = useState('')
  const [expiry, setExpiry] = useState('30')
  const [mode, setMode] = useState<(typeof filterModes)[number]>('locked')
  const [origins, setOrigins] = useState<string[]>([])
  const { error } = create
  const ofOrigins = error?.details.find(({ path }) => path.includes('allowed_origins'))
  const submit = () =>
    create.mutate(
      {
        params: { id: dashboard.id },
        body: {
          name: name.trim() || null,
          expires_in_days: expiry === never ? null : Number(expiry),
          filters: mode,
          ...(filters && { filter_values: filters }),
          allowed_origins: origins,
        },
      },
      { onSuccess: ({ path }) => onMade(path) },
    )
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap={12}>
        <div className={classes.pair}>
          <TextInput
            label={t('name')}
            description={t('nameHint')}
            maxLength={200}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('expiry')}
            description={
              expiry === never ? (
                <span className={classes.never}>{t('neverHint')}</span>
              ) : (
                t('until', { date: dateText(new Date(now + Number(expiry) * day), 'day') })
              )
            }
            value={expiry}
            onChange={(event) => setExpiry(event.currentTarget.value)}
            data={[
              ...expiries.map((days) => ({ value: String(days), label: t('days', { count: days }) })),
              { value: never, label: t('never') },
            ]}
          />
        </div>
        <div role="group" aria-labelledby={filtersId}>
          <div className={classes.label} id={filtersId}>
            {t('filters')}
          </div>
          <SegmentedControl
            aria-labelledby={filtersId}
            value={mode}
            onChange={setMode}
            data={filterModes.map((value) => ({ value, label: t(value) }))}
          />
          <Text size="xs" c="dimmed" mt={4}>
            {mode === 'locked' ? t('lockedHint') : t('freeHint')}
          </Text>
        </div>
        <TagsInput
          label={t('origins')}
          description={t('originsHint')}
          placeholder={origins.length === 0 ? 'https://intranet.example' : undefined}
          value={origins}
          onChange={setOrigins}
          error={ofOrigins?.message}
        />
        <DialogFoot
          error={error && !ofOrigins ? error.message : undefined}
          submitLabel={t('create')}
          busy={create.isPending}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}
