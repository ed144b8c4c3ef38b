import { translateCause, translateKept } from '../../i18n/translate.ts'
import { notifications } from '@mantine/notifications'
import {
  IconArrowRight,
  IconCircleCheck,
  IconFileText,
  IconHandStop,
  IconPlayerPlay,
  IconQuestionMark,
  IconRefresh,
} from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { type AttentionItem, getAttention } from '../../../contract/attention.ts'
import { mostFailuresCounted } from '../../../contract/failures.ts'
import { rerunJobRun, runJob } from '../../../contract/job-run-control.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { retryRun } from '../../../contract/runs.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { CutWith } from '../../ui/Cut.tsx'
import { DataTable, rowHeight } from '../../ui/DataTable.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { numberText } from '../../ui/format.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowButton } from '../../ui/RowActions.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { GateDialog } from '../job-runs/GateDialog.tsx'
import { badgeOf, leadsTo } from './attention.rules.ts'
import classes from './home.module.css'

/** What happened; which task it was stands in the column before. */
const detailOf = ({ message, message_params, task_keys }: AttentionItem): string | null =>
  (task_keys.length > 0 ? translateCause(message_params) : null) ?? translateKept(message, message_params)

/** Which job run of its job it is. */
const numbered = (id: number | null) => (id === null ? [] : [`#${id}`])

/** Pixels: eight rows without scrolling, half of them of two lines. */
const mostHeight = 12.5 * rowHeight

/** Starts again what failed or was missed; who did it stays on the page, and reads where it went. */
function useStarts() {
  const { t } = useTranslation('home')
  const invalidates = ['getAttention', 'listRuns', 'listAllJobRuns'] as const
  const rerun = useAction(rerunJobRun, { invalidates })
  const retry = useAction(retryRun, { invalidates })
  const run = useAction(runJob, { invalidates })
  const headers = () => ({ 'idempotency-key': crypto.randomUUID() })
  const said = (word: 'startedRun' | 'startedJobRun') => ({
    onSuccess: (started: { id: number } | { job_run: { id?: number } | null }) => {
      const { id } = 'id' in started ? started : (started.job_run ?? {})
      if (id !== undefined) notifications.show({ message: t(`attention.${word}`, { id }) })
    },
    onError: (failure: Error) => notifications.show({ color: 'red', message: failure.message }),
  })
  return {
    busy: rerun.isPending || retry.isPending || run.isPending,
    again({ job_run_id, run_id, task_keys }: AttentionItem) {
      if (job_run_id !== null) {
        const body = task_keys.length > 0 ? { from: task_keys } : {}
        rerun.mutate({ params: { id: job_run_id }, body, headers: headers() }, said('startedJobRun'))
      } else if (run_id !== null) retry.mutate({ params: { id: run_id }, headers: headers() }, said('startedRun'))
    },
    missed({ job_id, start }: AttentionItem) {
      // The server made it as the body of this very operation.
      const body = (start ?? {}) as BodyOf<typeof runJob>
      if (job_id !== null) run.mutate({ params: { id: job_id }, body, headers: headers() }, said('startedJobRun'))
    },
  }
}

interface DoProps {
  item: AttentionItem
  onDecide(item: AttentionItem): void
}

/** The one thing to do about an item, where the user may. */
function Do({ item, onDecide }: DoProps) {
  const { t } = useTranslation('home')
  const starts = useStarts()
  const { can } = useSession()
  const navigate = useNavigate()
  const { name } = item
  const action = (
    word: 'approve' | 'rerun' | 'run' | 'answer' | 'log' | 'view',
    icon: typeof IconRefresh,
    run: () => void,
  ) => (
    <RowButton
      text={t(`attention.do.${word}`)}
      action={{
        label: t(`attention.doFor.${word}`, { name }),
        icon,
        shortcut: 'r',
        needsServer: word === 'approve' || word === 'rerun' || word === 'run',
        run,
      }}
    />
  )
  const go = () => void navigate(leadsTo(item))
  const view = () => action('view', IconArrowRight, go)
  if (item.kind === 'gate') return can('decideGate') ? action('approve', IconHandStop, () => onDecide(item)) : view()
  if (item.kind === 'outcome') return action('answer', IconQuestionMark, go)
  if (item.kind === 'missed')
    return can('runJob') ? action('run', IconPlayerPlay, () => !starts.busy && starts.missed(item)) : view()
  if (item.kind !== 'failure') return view()
  const allowed = can(item.job_run_id === null ? 'retryRun' : 'rerunJobRun')
  // What runs again already is not started once more.
  const waits = item.status === 'failed' || item.status === 'cancelled'
  return allowed && waits
    ? action('rerun', IconRefresh, () => !starts.busy && starts.again(item))
    : action('log', IconFileText, go)
}

function useColumns(onDecide: (item: AttentionItem) => void): TableColumn<AttentionItem>[] {
  const { t } = useTranslation('home')
  return useMemo(
    () => [
      {
        id: 'kind',
        header: t('columns.status'),
        width: 168,
        uncut: true,
        cell: (item) => {
          const { status, word } = badgeOf(item)
          return <StatusBadge status={status} {...(word === null ? {} : { label: t(`attention.kind.${word}`) })} />
        },
      },
      {
        id: 'what',
        header: t('attention.what'),
        minWidth: 144,
        cell: ({ name, job_run_id, task_keys, count }) => (
          <CutWith text={name} title={[name, ...numbered(job_run_id), ...task_keys].join(' · ')}>
            {job_run_id === null ? null : <span className={classes.part}>{numbered(job_run_id)}</span>}
            {task_keys.length > 0 ? <span className={classes.part}>{task_keys.join(', ')}</span> : null}
            {count > 1 ? (
              <span className={classes.part} title={t('attention.times', { count })}>
                {numberText(count)}
                {count === mostFailuresCounted ? '+' : ''}×
              </span>
            ) : null}
          </CutWith>
        ),
      },
      {
        id: 'message',
        header: t('attention.message'),
        minWidth: 140,
        grow: 3,
        wraps: 3,
        cell: (item) => {
          const text = detailOf(item) ?? t(`attention.text.${item.kind}`)
          return (
            <span className={item.kind === 'failure' ? classes.error : undefined} title={text}>
              <CodeWords text={text} />
            </span>
          )
        },
      },
      {
        id: 'since',
        header: t('attention.since'),
        width: 88,
        minWidth: 88,
        cell: ({ since }) => <RelativeTime at={since} />,
      },
      {
        id: 'do',
        header: '',
        label: t('attention.action'),
        width: 112,
        cell: (item) => <Do item={item} onDecide={onDecide} />,
      },
    ],
    [t, onDecide],
  )
}

/** What can't go on without someone: each row opens what it is about, and has the one thing to do. */
export function Attention() {
  const { t } = useTranslation('home')
  const navigate = useNavigate()
  const [deciding, setDeciding] = useState<AttentionItem | null>(null)
  const columns = useColumns(setDeciding)
  const attention = useOperation(getAttention)
  const items = attention.data?.items ?? []
  return (
    <section className={classes.section} aria-labelledby="home-attention">
      <div className={classes.head}>
        <h2 id="home-attention">{t('attention.title')}</h2>
        {attention.data?.truncated ? (
          <>
            <span className={classes.part}>{t('attention.truncated', { count: items.length })}</span>
            <Link to={paths.runs({ status: 'failed' })}>{t('attention.failedRuns')}</Link>
          </>
        ) : null}
      </div>
      {attention.error && !attention.data ? (
        <ErrorState what="attention" compact error={attention.error} onRetry={() => void attention.refetch()} />
      ) : !attention.isPending && items.length === 0 ? (
        <p className={classes.calm}>
          <IconCircleCheck size={15} aria-hidden />
          {t('attention.none')}
        </p>
      ) : (
        <div className={classes.boxed} style={{ maxHeight: mostHeight }}>
          <DataTable
            label={t('attention.title')}
            rows={items}
            columns={columns}
            rowKey={({ key }) => key}
            rowHref={leadsTo}
            onOpen={(item) => void navigate(leadsTo(item))}
            loading={attention.isPending}
            fits
          />
        </div>
      )}
      {deciding !== null && deciding.job_run_id !== null && deciding.task_keys[0] !== undefined ? (
        <GateDialog
          jobRunId={deciding.job_run_id}
          jobName={deciding.name}
          gateKey={deciding.task_keys[0]}
          question={deciding.message}
          onClose={() => setDeciding(null)}
        />
      ) : null}
    </section>
  )
}
