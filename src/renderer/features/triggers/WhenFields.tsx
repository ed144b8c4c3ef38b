import { Button, Input, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { triggerKinds } from '../../../contract/triggers.ts'
import type { ApiFailure } from '../../api/client.ts'
import { NextFirings, useNextFirings } from './NextFirings.tsx'
import { type TriggerDraft, expressionOf, presets } from './trigger-draft.ts'
import classes from './triggers.module.css'
import { useCronWords } from './use-cron-words.ts'

export interface PartProps {
  draft: TriggerDraft
  change: (values: Partial<TriggerDraft>) => void
  failure: ApiFailure | null
}

/** Type, expression, zone and the next firings that they mean. */
export function WhenFields({ draft, change, failure }: PartProps) {
  const { t } = useTranslation('triggers')
  const preview = useNextFirings({ type: draft.type, expression: expressionOf(draft), timezone: draft.timezone })
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')], [])
  const words = useCronWords()(draft.cron)
  const said =
    failure?.detailFor('cron_expression')?.message ??
    (preview.error ? (preview.error.detailFor('cron_expression')?.message ?? preview.error.message) : undefined)
  // The server speaks of the value; here it stands alone.
  const wrong = said && said.charAt(0).toUpperCase() + said.slice(1)
  return (
    <>
      <SegmentedControl
        aria-label={t('form.type')}
        value={draft.type}
        data={triggerKinds.map((value) => ({ value, label: t(`form.types.${value}`) }))}
        onChange={(type) => change({ type })}
      />
      {draft.type === 'cron' ? (
        <>
          <TextInput
            label={t('form.cron')}
            description={t('form.cronHint')}
            withAsterisk
            data-autofocus
            value={draft.cron}
            error={wrong}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            onChange={(event) => change({ cron: event.currentTarget.value })}
          />
          {words && !wrong ? <p className={classes.said}>{words}</p> : null}
          <div className={classes.presets}>
            {Object.entries(presets).map(([name, cron]) => (
              <Button key={name} size="compact-xs" variant="default" onClick={() => change({ cron })}>
                {/* The names are the keys of the presets. */}
                {t(`form.presets.${name as keyof typeof presets}`)}
              </Button>
            ))}
          </div>
          <Select
            label={t('form.zone')}
            searchable
            allowDeselect={false}
            data={zones}
            limit={100}
            value={draft.timezone}
            error={failure?.detailFor('timezone')?.message}
            onChange={(timezone) => change({ timezone: timezone ?? 'UTC' })}
          />
        </>
      ) : (
        <TextInput
          label={t('form.at')}
          description={t('form.atHint')}
          withAsterisk
          data-autofocus
          placeholder="2026-12-01T06:00:00Z"
          value={draft.at}
          error={wrong}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          // One that has fired is off; another moment is meant to fire.
          onChange={(event) => change({ at: event.currentTarget.value, ...(draft.hasFired && { enabled: true }) })}
        />
      )}
      <Input.Wrapper label={t('form.next')} labelElement="div">
        <NextFirings preview={preview} />
      </Input.Wrapper>
    </>
  )
}
