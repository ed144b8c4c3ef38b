import { ActionIcon, Skeleton, Switch } from '@mantine/core'
import { IconArrowsDiff, IconArrowsLeftRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type JobRun, type JobRunGraph, getJobRunGraph } from '../../../contract/job-runs.ts'
import { useOperation } from '../../api/queries.ts'
import { useCommands } from '../../commands/commands.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { Page } from '../../ui/Page.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { wholeNumber } from '../runs/run-filters.ts'
import classes from './CompareJobRuns.module.css'
import { ComparedFacts } from './ComparedFacts.tsx'
import { ComparedTasks } from './ComparedTasks.tsx'

interface SidesProps {
  a: JobRunGraph
  b: JobRunGraph
}

function Sides({ a, b }: SidesProps) {
  const { t } = useTranslation('jobRuns')
  const [search, set] = useAddress()
  const only = search.get('all') !== '1'
  return (
    <div className={classes.page}>
      {a.job_run.job_id === b.job_run.job_id ? null : <p className={classes.notice}>{t('compare.otherJob')}</p>}
      <ComparedFacts a={a.job_run} b={b.job_run} />
      <ComparedTasks
        a={a}
        b={b}
        only={only}
        onAll={() => set({ all: '1' })}
        right={
          <Switch
            label={t('compare.onlyDifferences')}
            checked={only}
            onChange={(event) => set({ all: event.currentTarget.checked ? null : '1' })}
          />
        }
      />
    </div>
  )
}

function Missing() {
  const { t } = useTranslation('jobRuns')
  return (
    <EmptyState
      icon={IconArrowsDiff}
      title={t('compare.missing')}
      text={t('compare.missingText')}
      action={<CommandButton id="job-runs.list" label={t('compare.toList')} to={paths.jobRuns()} />}
    />
  )
}

const crumbOf = (run: JobRun | undefined) => (run ? [{ label: run.job_name, to: paths.job(run.job_id) }] : [])

/** Two job runs side by side: what was given, what ran, how long and how much; differences first. */
export function CompareJobRunsPage() {
  const { t } = useTranslation('jobRuns')
  const [search, set] = useAddress()
  const a = wholeNumber(search.get('a'))
  const b = wholeNumber(search.get('b'))
  const left = useOperation(getJobRunGraph, { params: { id: a ?? 0 } }, { enabled: a !== undefined })
  const right = useOperation(getJobRunGraph, { params: { id: b ?? 0 } }, { enabled: b !== undefined })
  const both = a !== undefined && b !== undefined
  const failed = left.error ?? right.error
  const retry = () => void (left.error ? left.refetch() : right.refetch())
  const swap = () => set({ a: String(b), b: String(a) })
  useCommands([
    {
      id: 'job-runs.swap',
      title: t('compare.swap'),
      icon: IconArrowsLeftRight,
      when: both,
      shortcut: 's',
      run: swap,
    },
  ])
  return (
    <Page
      title={both ? t('compare.title', { a, b }) : t('compare.crumb')}
      crumbs={[{ label: t('title'), to: paths.jobRuns() }, ...crumbOf(right.data?.job_run)]}
      actions={
        both ? (
          <Hint label={t('compare.swap')} command="job-runs.swap">
            <ActionIcon aria-label={t('compare.swap')} onClick={swap}>
              <IconArrowsLeftRight size={16} />
            </ActionIcon>
          </Hint>
        ) : undefined
      }
      layout="fill"
    >
      {both ? null : <Missing />}
      {both && failed ? <ErrorState error={failed} onRetry={retry} /> : null}
      {both && !failed && left.data && right.data ? <Sides a={left.data} b={right.data} /> : null}
      {both && !failed && !(left.data && right.data) ? <Skeleton height={34} radius={0} /> : null}
    </Page>
  )
}
