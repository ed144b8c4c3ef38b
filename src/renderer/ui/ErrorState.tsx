import { Button } from '@mantine/core'
import {
  IconAlertTriangle,
  IconClockPause,
  IconLock,
  IconMapOff,
  IconPlugConnectedX,
  IconRefreshAlert,
  IconServerOff,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { ApiFailure } from '../api/client.ts'
import { sentence } from '../api/failure-words.ts'
import type { load } from '../i18n/en/load.ts'
import { paths } from '../paths.ts'
import { CodeWords } from './CodeWords.tsx'
import { CopyCode } from './CopyCode.tsx'
import classes from './EmptyState.module.css'
import { EmptyState } from './EmptyState.tsx'
import { ErrorCodeLink } from './HelpLink.tsx'
import { type ErrorKind, errorKindOf, isFault, wayOnOf } from './error-kind.rules.ts'

/** Records with a page, and where all of their kind are. */
const listOf = {
  task: paths.tasks,
  jobTemplate: paths.jobTemplates,
  dashboardTemplate: paths.dashboardTemplates,
  job: paths.jobs,
  jobRun: paths.jobRuns,
  run: paths.runs,
  connector: paths.connectors,
  dashboard: paths.dashboards,
  user: paths.users,
}
export type PageRecord = keyof typeof listOf
export type Loaded = keyof typeof load

export interface ErrorStateProps {
  error: Error
  onRetry?: () => void
  /** What couldn’t be loaded, as the title names it. Without it and without a record, something was done that failed. */
  what?: Loaded | undefined
  /** What the page is about, which the title names. */
  record?: { kind: PageRecord; id: number }
  /** Where it is about more than one record. */
  title?: string | undefined
  /** Another way on, beside that of the failure. */
  others?: ReactNode
  /** In a pane or a widget: smaller, and its way on is its own, not the page's. */
  compact?: boolean
  /** In a dialog that had the focus before this was there. */
  takesFocus?: boolean
}

const icons: Partial<Record<ErrorKind, TablerIcon>> = {
  offline: IconPlugConnectedX,
  signedOut: IconLock,
  forbidden: IconLock,
  notFound: IconMapOff,
  changed: IconRefreshAlert,
  tooMany: IconClockPause,
  serverFault: IconServerOff,
  unavailable: IconServerOff,
}

const kindOf = (error: Error): ErrorKind => (error instanceof ApiFailure ? errorKindOf(error) : 'other')

/** Kinds whose title says no more than that something failed: what couldn’t be loaded is better. */
const untold: ReadonlySet<ErrorKind> = new Set(['serverFault', 'unavailable', 'other'])

/** What is wrong, why, and what to do. The server's own sentence says why wherever it is more than the kind already says. */
export function useErrorText({ error, what, record, title: given, onRetry }: ErrorStateProps): {
  title: string
  text: string
} {
  const { t } = useTranslation()
  const kind = kindOf(error)
  const ofKind = t(`error.kinds.${kind}.title`)
  const named =
    given ??
    (record
      ? t(`error.record.${record.kind}.failed`, { id: String(record.id) })
      : // These words may not have arrived: without the server they don’t.
        what && t(what, { ns: 'load', defaultValue: ofKind }))
  const title = (untold.has(kind) && named) || ofKind
  const advice = t(`error.kinds.${kind}.text`)
  if (kind === 'offline' || kind === 'notFound' || kind === 'forbidden' || kind === 'signedOut') {
    return { title, text: advice }
  }
  if (error instanceof ApiFailure && error.code === 'INTERNAL_ERROR') {
    const { request_id: id } = error
    const said = [
      named && t('error.fault.reported'),
      !onRetry && t('error.fault.again'),
      id ? t('error.fault.request', { id }) : t('error.fault.log'),
    ]
    return { title, text: said.filter(Boolean).join(' ') }
  }
  // The message of these ends with what to do.
  const canRetry = kind === 'serverFault' || (error instanceof ApiFailure && error.retryAfter !== undefined)
  return { title, text: canRetry || !advice ? error.message : `${sentence(error.message)} ${advice}` }
}

const takeFocus = (button: HTMLButtonElement | null) => button?.focus()

/** The button that does what the text says. */
function WayOn({
  kind,
  onRetry,
  compact,
  takesFocus,
}: Pick<ErrorStateProps, 'onRetry' | 'compact' | 'takesFocus'> & { kind: ErrorKind }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const way = wayOnOf(kind)
  if (way === 'retry' || way === 'reload') {
    if (!onRetry) return null
    return (
      <Button variant="default" onClick={onRetry} ref={takesFocus ? takeFocus : undefined}>
        {way === 'retry' ? t('error.retry') : t('error.loadAgain')}
      </Button>
    )
  }
  if (compact) return null
  // The first address of a window has nothing behind it.
  const back = way === 'back' && globalThis.history.length > 1
  return (
    <Button variant="default" onClick={() => void (back ? navigate(-1) : navigate(paths.home()))}>
      {back ? t('error.back') : t('error.home')}
    </Button>
  )
}

/** `Run #15`: what a page is about, as long as nothing more is known of it. */
export function useRecordName(kind: PageRecord, id: string | number | undefined): string {
  const { t } = useTranslation()
  return t(`error.record.${kind}.name`, { id: String(id ?? '') })
}

function RecordNotFound({ kind, id }: { kind: PageRecord; id: number }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      role="alert"
      icon={IconMapOff}
      title={t(`error.record.${kind}.title`, { id: String(id) })}
      text={t('error.recordText')}
      action={
        <Button component={Link} to={listOf[kind]()}>
          {t(`error.record.${kind}.all`)}
        </Button>
      }
    />
  )
}

/** What failed, why, and the way on. Stands where the content would be, so that its neighbours stay usable. */
export function ErrorState(props: ErrorStateProps) {
  const { error, onRetry, record, compact, takesFocus, others } = props
  const { t } = useTranslation()
  const kind = kindOf(error)
  const { title, text } = useErrorText(props)
  const failure = error instanceof ApiFailure ? error : undefined
  const Icon = icons[kind] ?? IconAlertTriangle
  if (record && kind === 'notFound') return <RecordNotFound {...record} />
  return (
    <div className={classes.empty} data-state data-compact={compact || undefined} role="alert">
      <Icon
        size={compact ? 20 : 28}
        stroke={1.5}
        aria-hidden
        className={classes.icon}
        data-tone={isFault(kind) ? 'failed' : undefined}
      />
      <div className={classes.title}>{title}</div>
      <div className={classes.text}>
        <CodeWords text={text} {...(failure?.request_id ? { name: CopyCode } : {})} />
      </div>
      {failure && failure.details.length > 0 ? (
        <ul className={classes.details}>
          {failure.details.slice(0, 8).map((detail) => (
            <li key={`${detail.path} ${detail.message}`}>
              <code>{detail.path}</code> <CodeWords text={detail.message} />
              {detail.line ? ` (${t('error.where', { line: detail.line, column: detail.column ?? 1 })})` : null}
            </li>
          ))}
        </ul>
      ) : null}
      {failure?.request_id && failure.status >= 500 && failure.code !== 'INTERNAL_ERROR' ? (
        <div className={classes.small}>
          <CodeWords text={t('error.requestId', { id: failure.request_id })} name={CopyCode} />
        </div>
      ) : null}
      <div className={classes.action}>
        <WayOn kind={kind} onRetry={onRetry} compact={compact} takesFocus={takesFocus} />
        {others}
      </div>
      {failure ? (
        <div className={classes.small}>
          <ErrorCodeLink code={failure.code} />
        </div>
      ) : null}
    </div>
  )
}
