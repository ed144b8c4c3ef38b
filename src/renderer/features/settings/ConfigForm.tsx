import { translateKept } from '../../i18n/translate.ts'
import { Skeleton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import type { ServerSetting } from '../../../contract/server-config.ts'
import type { ApiFailure } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { settingTexts, useInLanguage } from '../../i18n/server-texts.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { FormShell } from '../../ui/FormShell.tsx'
import { OvertakenNotice } from '../../ui/OvertakenNotice.tsx'
import { RestartNotice } from './RestartNotice.tsx'
import { SettingRow } from './SettingRow.tsx'
import classes from './configuration.module.css'
import { otherProblems, problemOf } from './config-draft.ts'
import { AiTest } from '../ai/AiTest.tsx'
import { groupsOf } from './settings-search.ts'
import { useConfigForm } from './use-config-form.ts'

const groupNames = [
  'server',
  'auth',
  'executors',
  'ai',
  'mcp',
  'limits',
  'backup',
  'uploads',
  'retention',
  'telemetry',
  'log',
] as const

/** The first setting that the server refused comes into sight, with the cursor in it. */
function useFirstProblem(host: RefObject<HTMLDivElement | null>, error: ApiFailure | null): void {
  useEffect(() => {
    if (!error) return
    const rows = [...(host.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [])]
    const first = rows.find((row) => problemOf(error.details, row.dataset.key ?? ''))
    first?.scrollIntoView({ block: 'center' })
    first?.querySelector('input')?.focus({ preventScroll: true })
  }, [host, error])
}

interface ConfigFormProps {
  /** Which settings. */
  only: (setting: ServerSetting) => boolean
  /** One group needs no heading. */
  withoutHeadings?: boolean
  /** In place of the settings when none is left. */
  empty?: ReactNode
}

/** Settings of the server in groups, changed together and saved together. */
export function ConfigForm({ only, withoutHeadings, empty }: ConfigFormProps) {
  const { t } = useTranslation('configuration')
  const { t: word } = useTranslation()
  const { can } = useSession()
  const form = useConfigForm()
  const host = useRef<HTMLDivElement>(null)
  useFirstProblem(host, form.error)
  const { config, draft, count, error, conflict } = form
  const settings = useInLanguage(config.data?.settings, settingTexts)
  if (config.error && !config.data)
    return <ErrorState what="settings" error={config.error} onRetry={() => void config.refetch()} />
  if (!config.data || !settings) return <Skeleton height={28} radius={0} />
  const { restart_pending: restartPending } = config.data
  const problem = translateKept(config.data.problem, config.data.problem_params)
  // What is being changed stays in sight, found or not.
  const shown = settings.filter((one) => only(one) || draft[one.key] !== undefined)
  const details = error?.details ?? []
  const others = otherProblems(
    details,
    shown.map(({ key }) => key),
  )
  const groups = groupsOf(shown)
  const headingOf = (name: string) => {
    const known = groupNames.find((one) => one === name)
    return known ? t(`groups.${known}`) : name
  }
  return (
    <FormShell
      onSubmit={form.save}
      dirty={count > 0}
      busy={form.saving}
      submitLabel={count === 0 ? word('form.save') : t('save', { count })}
      onCancel={count > 0 ? form.discard : undefined}
      readOnly={!can('updateServerConfig')}
      footWhenDirty={shown.length === 0}
      notice={
        <>
          {problem ? (
            <div className={classes.notice} data-tone="failed" role="alert">
              <IconAlertTriangle size={15} aria-hidden />
              <span>{t('problem', { problem })}</span>
            </div>
          ) : null}
          <RestartNotice pending={restartPending} />
          <OvertakenNotice
            overtaken={form.overtaken.length > 0 ? { onKeep: form.keepMine, onTake: form.takeTheirs } : null}
            text={t('overtaken', { what: form.overtaken.map(({ title }) => title).join(', ') })}
            apart
          />
          {conflict && form.overtaken.length === 0 ? (
            <div className={classes.notice} role="alert">
              <IconAlertTriangle size={15} aria-hidden />
              <span>{t('conflict')}</span>
            </div>
          ) : null}
        </>
      }
      error={
        error && !conflict ? (
          <>
            {details.length > others.length ? word('form.checkFields') : error.message}
            {others.length > 0 ? (
              <ul className={classes.problems}>
                {others.map((detail) => (
                  <li key={`${detail.path} ${detail.message}`}>
                    <code>{detail.path}</code> {detail.message}
                  </li>
                ))}
              </ul>
            ) : null}
          </>
        ) : undefined
      }
    >
      {shown.length === 0 ? empty : null}
      {withoutHeadings || groups.length < 2 ? null : (
        <nav className={classes.groups} aria-label={t('groupsLabel')}>
          {groups.map(({ name }) => (
            <Link key={name} to={`#${name}`} replace onClick={() => document.getElementById(name)?.scrollIntoView()}>
              {headingOf(name)}
            </Link>
          ))}
        </nav>
      )}
      <div ref={host}>
        {groups.map((group) => (
          <section key={group.name} id={group.name} className={classes.group} aria-label={headingOf(group.name)}>
            {withoutHeadings ? null : <h2>{headingOf(group.name)}</h2>}
            {group.settings.map((setting) => (
              <SettingRow
                key={setting.key}
                setting={setting}
                draft={draft}
                error={problemOf(details, setting.key)}
                readOnly={!can('updateServerConfig')}
                onChange={(change) => form.change(setting, change)}
              />
            ))}
            {group.name === 'ai' ? <AiTest /> : null}
          </section>
        ))}
      </div>
    </FormShell>
  )
}
