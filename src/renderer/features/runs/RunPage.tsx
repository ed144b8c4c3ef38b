import { Skeleton } from '@mantine/core'
import { IconFileCode, IconListDetails } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { type Run, type RunStep, getRun } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'
import { useCommands } from '../../commands/commands.ts'
import { useOpened } from '../../commands/open/recent.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState, useRecordName } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { PaneTabs } from '../../ui/PaneTabs.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { DetailsPane } from './DetailsPane.tsx'
import { EditTaskLink } from './EditTaskLink.tsx'
import { ExplainButton } from '../ai/ExplainButton.tsx'
import { FailureBlock } from './FailureBlock.tsx'
import { LogPane } from './LogPane.tsx'
import { OutputsPane } from './OutputsPane.tsx'
import { RejectsPane } from './RejectsPane.tsx'
import { RunActions } from './RunActions.tsx'
import { RunFacts } from './RunFacts.tsx'
import classes from './RunPage.module.css'
import { StepTree } from './StepTree.tsx'
import { WaitingBanner } from './WaitingBanner.tsx'
import { failedStep } from './failure-facts.rules.ts'
import { isOver } from './run-facts.ts'
import { useRunSteps } from './use-run-steps.ts'

const tabs = ['log', 'rejects', 'outputs', 'details'] as const
type Tab = (typeof tabs)[number]

/** Tab and chosen step, as the address has them. */
function useRunAddress() {
  const [search, set] = useAddress()
  const step = search.get('step')
  return {
    tab: tabs.find((tab) => tab === search.get('tab')) ?? 'log',
    setTab: (tab: Tab) => set({ tab: tab === 'log' ? null : tab }),
    step: step !== null && /^\d{1,4}$/.test(step) ? Number(step) : null,
    setStep: (index: number | null) => set({ step: index === null ? null : String(index) }),
  }
}

interface RunTabsProps {
  id: number
  label: string
  counts?: Partial<Record<Tab, number>>
  children: ReactNode
}

/** The panes of a run, which stay while it can’t be loaded. */
function RunTabs({ id, label, counts, children }: RunTabsProps) {
  const { t } = useTranslation('runs')
  const { tab, setTab } = useRunAddress()
  return (
    <PaneTabs
      id={`run-${id}`}
      label={label}
      tabs={tabs.map((one) => ({ id: one, label: t(`tabs.${one}`), count: counts?.[one] }))}
      active={tab}
      onChange={setTab}
      keys
    >
      {children}
    </PaneTabs>
  )
}

function Panes({ run, step, tab }: { run: Run; step: RunStep | null; tab: Tab }) {
  const { t } = useTranslation('runs')
  const counts: Partial<Record<Tab, number>> = run.reject_count ? { rejects: run.reject_count } : {}
  return (
    <div className={classes.fill}>
      <RunTabs id={run.id} label={t('page.title', { task: run.task_name, id: run.id })} counts={counts}>
        {tab === 'log' ? <LogPane key={run.id} run={run} step={step} /> : null}
        {tab === 'rejects' ? <RejectsPane key={run.id} run={run} step={step} /> : null}
        {tab === 'outputs' ? <OutputsPane run={run} /> : null}
        {tab === 'details' ? <DetailsPane run={run} /> : null}
      </RunTabs>
    </div>
  )
}

function RunBody({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const { tab, step: index, setStep } = useRunAddress()
  const { steps, planned, loaded } = useRunSteps(run)
  const step = steps.find((one) => one.index === index) ?? null
  const failed = failedStep(steps)
  const isNarrow = useNarrow()
  const note = planned
    ? isOver(run.status)
      ? t('steps.noRecord')
      : t('steps.planned', { version: run.task_version })
    : undefined
  return (
    <>
      <RunFacts run={run} />
      <WaitingBanner run={run} />
      {run.error_message === null || run.status === 'pending' ? null : (
        <FailureBlock title={t('page.failed')} failed={run} runId={run.id} step={failed} onStep={setStep}>
          <EditTaskLink run={run} step={failed} />
          <ExplainButton run={run} />
        </FailureBlock>
      )}
      <SplitPane
        key={isNarrow ? 'narrow' : 'wide'}
        {...(isNarrow
          ? { id: 'runs.page.narrow', direction: 'vertical', initial: 'content', minSize: 96 }
          : { id: 'runs.page', direction: 'horizontal', initial: 0.42, minSize: 320 })}
      >
        {loaded && steps.length === 0 ? (
          <EmptyState icon={IconListDetails} title={t('steps.empty')} text={t('steps.emptyText')} compact />
        ) : (
          <StepTree steps={steps} chosen={index} onChoose={setStep} note={note} />
        )}
        <Panes run={run} step={step} tab={tab} />
      </SplitPane>
    </>
  )
}

/** A run: its steps, its log, what it rejected and put out. One chosen step drives all panes. */
export function RunPage() {
  const { t } = useTranslation('runs')
  const { id: text } = useParams()
  const navigate = useNavigate()
  const { t: word } = useTranslation()
  const id = Number(text)
  const recordName = useRecordName('run', text)
  const run = useOperation(getRun, { params: { id } })
  const taskId = run.data?.task_id
  useOpened({
    kind: 'run',
    id,
    title: run.data && `#${id} ${run.data.task_name}`,
    to: paths.run(id),
    gone: run.error?.status === 404,
  })
  useCommands([
    {
      id: 'run.task',
      title: t('actions.openTask'),
      icon: IconFileCode,
      shortcut: 'o',
      when: taskId !== undefined,
      run: () => taskId !== undefined && void navigate(paths.task(taskId)),
    },
  ])
  const failed =
    run.error && !run.data ? (
      <ErrorState error={run.error} onRetry={() => void run.refetch()} record={{ kind: 'run', id }} />
    ) : null
  const crumbs = [
    { label: t('title'), to: paths.runs() },
    ...(run.data ? [{ label: run.data.task_name, to: paths.task(run.data.task_id) }] : []),
  ]
  return (
    <Page
      title={run.data ? `#${id}` : recordName}
      documentTitle={
        run.data ? `${run.data.task_name} #${run.data.id} · ${word(`status.${run.data.status}`)}` : recordName
      }
      crumbs={crumbs}
      badge={run.data ? <StatusBadge status={run.data.status} size="md" /> : undefined}
      actions={run.data ? <RunActions run={run.data} /> : undefined}
      layout="fill"
    >
      {run.data ? <RunBody key={run.data.id} run={run.data} /> : null}
      {failed && run.error ? (
        run.error.status === 404 ? (
          failed
        ) : (
          <RunTabs id={id} label={recordName}>
            {failed}
          </RunTabs>
        )
      ) : null}
      {run.isPending ? <Skeleton height={34} radius={0} /> : null}
    </Page>
  )
}
