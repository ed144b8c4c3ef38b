import { Select, Skeleton } from '@mantine/core'
import { IconCircleCheck, IconLock } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { listLimit } from '../../../contract/common.ts'
import { getRejectsRerun, type RejectsRerun, type RejectsStart } from '../../../contract/rejects-rerun.ts'
import { type Run, getRun } from '../../../contract/runs.ts'
import { listRunRejects } from '../../../contract/run-rejects.ts'
import { useList, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { translateReason } from '../../i18n/translate.ts'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState, useRecordName } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { FixRejects } from './FixRejects.tsx'

function Rows({ run, start }: { run: Run; start: RejectsStart }) {
  const { t } = useTranslation('runs')
  const query = { start: start.step, open: true, limit: listLimit.maximum }
  const list = useList(listRunRejects, { params: { id: run.id }, query })
  const { hasNext, fetchNext, rows } = list
  // What is rerun is what is shown: all of them.
  useEffect(() => {
    if (hasNext) fetchNext()
  }, [hasNext, fetchNext])
  if (list.error) return <ErrorState what="rejects" error={list.error} onRetry={list.retry} />
  if (list.isLoading || hasNext) return <Skeleton height={200} radius={0} />
  if (rows.length === 0)
    return <EmptyState icon={IconCircleCheck} title={t('fix.noneTitle')} text={t('fix.noneText', { id: run.id })} />
  return <FixRejects run={run} start={start} rejects={rows} onReload={list.retry} />
}

function Body({
  run,
  rerun,
  step,
  onStep,
}: {
  run: Run
  rerun: RejectsRerun
  step: string | null
  onStep(step: string): void
}) {
  const { t } = useTranslation('runs')
  const { can } = useSession()
  const { starts } = rerun
  const start = starts.find((one) => one.step === step) ?? starts.find(({ open }) => open > 0) ?? starts[0]
  const refused = rerun.refused ?? start?.refused
  const back = <Link to={paths.run(run.id, { tab: 'rejects' })}>{t('fix.back')}</Link>
  if (!can('rerunRejects')) return <EmptyState icon={IconLock} title={t('fix.forbidden')} action={back} />
  if (!start)
    return (
      <EmptyState
        icon={IconLock}
        title={t('fix.unreadableTitle')}
        text={rerun.unreadable > 0 ? t('fix.unreadableText') : t('rejects.emptyTitle')}
        action={back}
      />
    )
  return (
    <>
      {starts.length > 1 ? (
        <Select
          size="xs"
          w={260}
          m="6px 12px"
          aria-label={t('fix.start')}
          allowDeselect={false}
          data={starts.map((one) => ({
            value: one.step,
            label: t('fix.startOf', { step: one.step, count: one.open }),
          }))}
          value={start.step}
          onChange={(chosen) => chosen !== null && onStep(chosen)}
        />
      ) : null}
      {refused ? (
        <EmptyState
          icon={IconLock}
          title={t('fix.refusedTitle')}
          text={<CodeWords text={translateReason(refused)} />}
          action={back}
        />
      ) : (
        <Rows key={start.step} run={run} start={start} />
      )}
    </>
  )
}

/** Rejected rows of a run, to be edited and rerun. */
export function FixRejectsPage() {
  const { t } = useTranslation('runs')
  const id = Number(useParams()['id'])
  const [search, set] = useAddress()
  const recordName = useRecordName('run', id)
  const run = useOperation(getRun, { params: { id } })
  const rerun = useOperation(getRejectsRerun, { params: { id } })
  const error = run.error ?? rerun.error
  const crumbs = [
    { label: t('title'), to: paths.runs() },
    { label: run.data ? `${run.data.task_name} #${id}` : recordName, to: paths.run(id, { tab: 'rejects' }) },
  ]
  return (
    <Page title={t('fix.title')} documentTitle={t('fix.documentTitle', { id })} crumbs={crumbs} layout="fill">
      {run.data && rerun.data ? (
        <Body run={run.data} rerun={rerun.data} step={search.get('start')} onStep={(start) => set({ start })} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void (run.refetch(), rerun.refetch())} record={{ kind: 'run', id }} />
      ) : (
        <Skeleton height={34} radius={0} />
      )}
    </Page>
  )
}
