import { Button, Input, Select, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { MomentInput } from '../../ui/MomentInput.tsx'
import type { FieldsProps } from './EventFields.tsx'
import { RhythmFields } from './RhythmFields.tsx'
import type { useNextFirings } from './NextFirings.tsx'
import classes from './triggers.module.css'
import { useCronWords } from './use-cron-words.ts'
import { wallText } from './wall-time.ts'

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }
const hour = 3_600_000
/** Times that a one-off often has, as clocks of the zone show them. */
function soonTimes(zone: string) {
  const now = Date.now()
  const tomorrow = wallText(new Date(now + 24 * hour).toISOString(), zone).slice(0, 10)
  const minute = new Date(Math.ceil((now + hour) / 60_000) * 60_000).toISOString()
  return { inHour: wallText(minute, zone), tomorrow: `${tomorrow} 07:00` }
}

function ZoneField({ draft, change, errorOf }: FieldsProps) {
  const { t } = useTranslation('triggers')
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')], [])
  return (
    <Select
      flex={1}
      label={t('form.zone')}
      searchable
      allowDeselect={false}
      data={zones}
      limit={100}
      value={draft.timezone}
      error={errorOf('timezone', 'timezone')}
      onChange={(timezone) => change({ timezone: timezone ?? 'UTC' })}
    />
  )
}

interface WhenFieldsProps extends FieldsProps {
  preview: ReturnType<typeof useNextFirings>
}

/** When it starts the job: again and again, or once. */
export function WhenFields({ preview, ...props }: WhenFieldsProps) {
  const { t } = useTranslation('triggers')
  const { draft, change, errorOf } = props
  const words = useCronWords()(draft.cron)
  const refused = preview.error && (preview.error.detailFor('cron_expression')?.message ?? preview.error.message)
  const said = errorOf(draft.kind === 'cron' ? 'cron' : 'at', 'cron_expression') ?? refused ?? undefined
  // The server speaks of the value; here it stands alone.
  const wrong = said && said.charAt(0).toUpperCase() + said.slice(1)
  if (draft.kind === 'cron') {
    return (
      <>
        <RhythmFields cron={draft.cron} onChange={(cron) => change({ cron })} zone={<ZoneField {...props} />} />
        <TextInput
          label={t('form.cron')}
          description={words && !wrong ? <span className={classes.said}>{words}</span> : t('form.cronHint')}
          withAsterisk
          data-autofocus={draft.jobId !== null || undefined}
          value={draft.cron}
          error={wrong}
          styles={mono}
          onChange={(event) => change({ cron: event.currentTarget.value })}
        />
      </>
    )
  }
  // One that has fired is off; another moment is meant to fire.
  const setAt = (at: string) => change({ at, ...(draft.hasFired && { enabled: true }) })
  return (
    <>
      <Input.Wrapper label={t('form.soon.label')} labelElement="div" className={classes.across}>
        <div className={classes.presets} role="group" aria-label={t('form.soon.label')}>
          <Button size="compact-sm" variant="default" onClick={() => setAt(soonTimes(draft.timezone).inHour)}>
            {t('form.soon.inHour')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setAt(soonTimes(draft.timezone).tomorrow)}>
            {t('form.soon.tomorrow', { time: '07:00' })}
          </Button>
        </div>
      </Input.Wrapper>
      <MomentInput
        label={t('form.at')}
        description={t('form.atHint')}
        withAsterisk
        data-autofocus={draft.jobId !== null || undefined}
        value={draft.at}
        time="07:00"
        error={wrong}
        onChange={setAt}
      />
      <ZoneField {...props} />
    </>
  )
}
