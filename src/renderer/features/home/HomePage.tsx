import { Button, Skeleton } from '@mantine/core'
import { IconFilePlus, IconFolderOpen, IconPlugConnected, IconRun, IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { getAttention } from '../../../contract/attention.ts'
import { listExecutors } from '../../../contract/executors.ts'
import { listRuns } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { findCommand, useRegisteredCommands } from '../../commands/commands.ts'
import { openPalette } from '../../commands/palette.store.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { useNow } from '../../ui/ticker.ts'
import { durationText } from '../../ui/time.ts'
import { ExecutorBadge } from '../executors/ExecutorBadge.tsx'
import { Slots } from '../executors/Slots.tsx'
import { isGone, sortExecutors } from '../executors/executors.rules.ts'
import { Attention } from './Attention.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { RunBars } from './RunBars.tsx'
import { RunCounts } from './RunCounts.tsx'
import { RunTable } from './RunTable.tsx'
import { Timeline } from './Timeline.tsx'
import classes from './home.module.css'
import { hoursAgo } from './hours-ago.ts'
import { useFirstSteps } from './use-first-steps.ts'

const barCount = 60
const shownExecutors = 8

function Latest() {
  const { t } = useTranslation('home')
  const runs = useOperation(listRuns, { query: { limit: barCount } })
  const rows = runs.data?.result ?? []
  const longest = Math.max(0, ...rows.map(({ duration_ms: ms }) => ms ?? 0))
  return (
    <section className={classes.section}>
      <div className={classes.head}>
        <h2>{t('latest.title')}</h2>
        {longest > 0 ? (
          <span className={classes.scale}>{t('latest.scale', { longest: durationText(longest) })}</span>
        ) : null}
        <Link to={paths.runs()}>{t('latest.all')}</Link>
      </div>
      {rows.length > 0 || runs.isPending ? <RunBars runs={rows} /> : null}
      <RunTable
        label={t('latest.title')}
        runs={rows.slice(0, 12)}
        loading={runs.isPending}
        error={runs.error}
        onRetry={() => void runs.refetch()}
        empty={<EmptyState compact icon={IconRun} title={t('latest.none')} text={t('latest.noneText')} />}
        visibleRows={runs.isPending ? 12 : rows.length === 0 ? 5 : Math.min(12, rows.length)}
      />
    </section>
  )
}

function Executors() {
  const { t } = useTranslation('home')
  const executors = useOperation(listExecutors)
  const now = useNow()
  const rows = sortExecutors(executors.data ?? []).filter((executor) => !isGone(executor, now))
  return (
    <section className={classes.section}>
      <div className={classes.head}>
        <h2>{t('executors.title')}</h2>
        <Link to={paths.executors()}>{t('executors.all')}</Link>
      </div>
      {executors.error && !executors.data ? (
        <ErrorState what="executors" compact error={executors.error} onRetry={() => void executors.refetch()} />
      ) : null}
      {executors.data && rows.length === 0 ? <p className={classes.calm}>{t('executors.none')}</p> : null}
      <ul className={classes.list}>
        {rows.slice(0, shownExecutors).map((executor) => (
          <li key={executor.id}>
            <ExecutorBadge executor={executor} size="icon" />
            <span className={classes.grow}>{executor.name}</span>
            <Slots executor={executor} worded />
          </li>
        ))}
      </ul>
      {rows.length > shownExecutors ? (
        <p className={classes.calm}>{t('executors.more', { count: rows.length - shownExecutors })}</p>
      ) : null}
    </section>
  )
}

function Quick() {
  const { t } = useTranslation('home')
  const { can } = useSession()
  const { t: tFile } = useTranslation('incoming')
  // Its code arrives after the page: the button has its place before.
  useRegisteredCommands()
  const openFile = findCommand('open-file')
  const look = { variant: 'default', justify: 'flex-start' } as const
  return (
    <section className={classes.section}>
      <div className={classes.head}>
        <h2>{t('quick.title')}</h2>
      </div>
      <div className={classes.quick}>
        {can('createTask') ? (
          <Button
            {...look}
            disabled={!openFile}
            onClick={() => openFile?.run()}
            leftSection={<IconFolderOpen size={14} />}
          >
            {tFile('open')}
          </Button>
        ) : null}
        {can('createTask') ? (
          <Button {...look} component={Link} to={paths.taskNew()} leftSection={<IconFilePlus size={14} />}>
            {t('quick.newTask')}
          </Button>
        ) : null}
        {can('createConnector') ? (
          <Button {...look} component={Link} to={paths.connectorNew()} leftSection={<IconPlugConnected size={14} />}>
            {t('quick.newConnector')}
          </Button>
        ) : null}
        <Button {...look} onClick={() => openPalette('records')} leftSection={<IconSearch size={14} />}>
          {t('quick.open')}
        </Button>
      </div>
    </section>
  )
}

/** What needs someone, what ran, what is next, who runs it; in an empty installation the way to the first run. Each part stands for itself. */
export function HomePage() {
  const { t } = useTranslation('home')
  const { can } = useSession()
  const now = new Date(useNow())
  const anyRun = useOperation(listRuns, { query: { limit: barCount } })
  const first = useFirstSteps()
  const attention = useOperation(getAttention)
  const isWaiting = (attention.data?.items.length ?? 0) > 0
  // A gate may wait, or a start be missed, before anything ran.
  const isNew = anyRun.data?.total === 0 && !isWaiting
  // Once it failed that stays in sight until it is asked again.
  const asking =
    (anyRun.isPending && anyRun.errorUpdateCount === 0) || (attention.isPending && attention.errorUpdateCount === 0)
  // Said once: nothing else of that column could be read, either.
  const failure = anyRun.data ? null : anyRun.error
  const executors = useOperation(listExecutors)
  const retry = () => {
    for (const one of [anyRun, attention, executors]) if (one.error) void one.refetch()
  }
  return (
    <Page title={t('title')}>
      <div className={classes.page}>
        <div className={classes.column}>
          {/* An empty installation shows something else altogether: neither is drawn before it is known which. */}
          {asking ? (
            <Skeleton height={320} />
          ) : failure ? (
            <ErrorState what={executors.error ? 'home-all' : 'home'} error={failure} onRetry={retry} />
          ) : isNew && !can('createTask') ? (
            <EmptyState icon={IconRun} title={t('latest.none')} text={t('latest.notYours')} />
          ) : isNew && !first ? (
            <EmptyState icon={IconRun} title={t('latest.none')} text={t('latest.noneText')} />
          ) : isNew && first ? (
            <FirstSteps steps={first.steps} isNew onDismiss={first.dismiss} />
          ) : (
            <>
              {isWaiting ? <Attention /> : null}
              {first ? <FirstSteps steps={first.steps} isNew={false} onDismiss={first.dismiss} /> : null}
              {isWaiting ? null : <Attention />}
              <RunCounts from={hoursAgo(24, now)} />
              <Timeline />
              <Latest />
            </>
          )}
        </div>
        <div className={classes.column}>
          {/* Its failure is said by the one beside it. */}
          {failure && executors.error ? null : <Executors />}
          {asking || (isNew && first) ? null : <Quick />}
        </div>
      </div>
    </Page>
  )
}
