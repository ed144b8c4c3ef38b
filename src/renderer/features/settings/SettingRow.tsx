import { Button } from '@mantine/core'
import { IconClockHour4, IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ServerSetting } from '../../../contract/server-config.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { SettingControl } from './SettingControl.tsx'
import classes from './configuration.module.css'
import { type Change, type Draft, isFixed, isSet, shownValue } from './config-draft.ts'
import { emptyWord, zeroWord } from './zero-words.ts'
import { numberText } from '../../ui/format.ts'

/** A value in a line of text. */
function useValueText() {
  const { t } = useTranslation('configuration')
  return (setting: ServerSetting, value: unknown): string => {
    if (setting.type === 'secret') return isSet(value) ? t('secret.set') : t('secret.notSet')
    if (typeof value === 'boolean') return value ? t('on') : t('off')
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return t(emptyWord(setting.key))
    if (Array.isArray(value)) return value.join(', ')
    const zero = value === 0 ? zeroWord(setting.key) : undefined
    if (zero) return t(`zero.${zero}`)
    if (typeof value === 'number') return [numberText(value), setting.unit].filter(Boolean).join(' ')
    if (typeof value !== 'string') return JSON.stringify(value)
    return setting.type === 'enum' ? t(`option.${value}`, { defaultValue: value }) : value
  }
}

function Notes({ setting, changed }: { setting: ServerSetting; changed: boolean }) {
  const { t } = useTranslation('configuration')
  const text = useValueText()
  const fixed = isFixed(setting)
  return (
    <div className={classes.notes}>
      <code>{setting.key}</code>
      {fixed ? (
        <span className={classes.fixed}>
          <IconLock size={13} aria-hidden />
          {setting.source === 'environment' ? t('fixedByEnvironment', { env: setting.env }) : t('fixedByArgument')}
        </span>
      ) : setting.source === 'default' && text(setting, setting.default) === t('none') ? null : (
        <span>
          {setting.source === 'default'
            ? t('isDefault')
            : setting.source === 'store'
              ? t('inStore')
              : t('inFile', { value: text(setting, setting.default) })}
        </span>
      )}
      {changed && setting.type !== 'secret' ? (
        <span>{t('savedNow', { value: text(setting, setting.next_value) })}</span>
      ) : null}
      {setting.restart_pending ? (
        <span className={classes.pending}>
          <IconClockHour4 size={13} aria-hidden />
          {t('pending', { value: text(setting, setting.value) })}
        </span>
      ) : setting.needs_restart && changed ? (
        <span className={classes.pending}>
          <IconClockHour4 size={13} aria-hidden />
          {t('needsRestart')}
        </span>
      ) : null}
    </div>
  )
}

export interface SettingRowProps {
  setting: ServerSetting
  draft: Draft
  error: string | undefined
  readOnly: boolean
  onChange(change: Change | undefined): void
}

/** One setting: what it does, where its value comes from, and its control. */
export function SettingRow({ setting, draft, error, readOnly, onChange }: SettingRowProps) {
  const { t } = useTranslation('configuration')
  const change = draft[setting.key]
  const fixed = isFixed(setting) || readOnly
  const resettable = !fixed && change !== 'default' && setting.source !== 'default'
  return (
    <div className={classes.row} data-changed={change !== undefined || undefined} data-key={setting.key}>
      <div className={classes.words}>
        <h3 className={classes.title}>{setting.title}</h3>
        <p className={classes.text}>
          <CodeWords text={setting.description} />
        </p>
        <Notes setting={setting} changed={change !== undefined} />
      </div>
      <div className={classes.control} data-type={setting.type}>
        <SettingControl
          setting={setting}
          value={shownValue(setting, draft)}
          drafted={change}
          disabled={fixed}
          error={error}
          onChange={onChange}
          onUndo={() => onChange(undefined)}
        />
        {change !== undefined && setting.type !== 'secret' ? (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => onChange(undefined)}>
            {t('undo')}
          </Button>
        ) : null}
        {resettable ? (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            aria-label={t(setting.type === 'secret' ? 'secret.removeOf' : 'useDefaultOf', { title: setting.title })}
            onClick={() => onChange('default')}
          >
            {setting.type === 'secret' ? t('secret.remove') : t('useDefault')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
