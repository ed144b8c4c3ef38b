import { Skeleton } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Run, type RunStep, getRun } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { PaneTabs } from '../../ui/PaneTabs.tsx'
import { ComparePage } from '../../ui/compare/ComparePage.tsx'
import { OnlyDifferences } from '../../ui/compare/OnlyDifferences.tsx'
import classes from '../../ui/compare/compare.module.css'
import { useOnlyDifferences, useSides } from '../../ui/compare/use-sides.ts'
import { useAddressPart } from '../../ui/use-address-part.ts'
import { ComparedRuns } from './ComparedRuns.tsx'
import { ComparedSteps } from './ComparedSteps.tsx'
import { ComparedChanges } from './ComparedChanges.tsx'
import { ComparedYaml } from './ComparedYaml.tsx'
import { compareSteps, compareChanges, changesDiffer, overlaps } from './compare-runs.ts'
import { useRunSteps } from './use-run-steps.ts'

const tabs = ['steps', 'changes', 'yaml'] as const

interface SidesProps {
  a: Run
  b: Run
}

function Panes({ a, b, stepsA, stepsB }: SidesProps & { stepsA: readonly RunStep[]; stepsB: readonly RunStep[] }) {
  const { t } = useTranslation('runs')
  const [tab, setTab] = useAddressPart('tab', tabs, 'steps')
  const [only] = useOnlyDifferences()
  const steps = useMemo(() => compareSteps(stepsA, stepsB), [stepsA, stepsB])
  const changes = useMemo(() => compareChanges(steps), [steps])
  const shown = {
    steps: only ? steps.filter((step) => step.differs.length > 0) : steps,
    changes: only ? changes.filter(changesDiffer) : changes,
  }
  return (
    <PaneTabs
      id="runs.compare"
      label={t('compare.label')}
      tabs={tabs.map((id) => ({ id, label: t(`compare.tabs.${id}`), count: id === 'yaml' ? 0 : shown[id].length }))}
      active={tab}
      onChange={setTab}
      keys
      right={tab === 'yaml' || (tab === 'changes' && changes.length === 0) ? null : <OnlyDifferences />}
    >
      {tab === 'steps' ? <ComparedSteps a={a.id} b={b.id} steps={shown.steps} /> : null}
      {tab === 'steps' && (overlaps(a, stepsA) || overlaps(b, stepsB)) ? (
        <p className={classes.footnote}>{t('compare.overlap')}</p>
      ) : null}
      {tab === 'changes' ? <ComparedChanges a={a.id} b={b.id} rows={shown.changes} /> : null}
      {tab === 'yaml' ? <ComparedYaml a={a} b={b} /> : null}
    </PaneTabs>
  )
}

function Sides({ a, b }: SidesProps) {
  const { t } = useTranslation('runs')
  const [left, right] = [useRunSteps(a), useRunSteps(b)]
  return (
    <>
      {a.task_id === b.task_id ? null : <p className={classes.notice}>{t('compare.otherTask')}</p>}
      <ComparedRuns a={a} b={b} />
      {left.loaded && right.loaded ? (
        <Panes a={a} b={b} stepsA={left.steps} stepsB={right.steps} />
      ) : (
        <Skeleton height={34} radius={0} />
      )}
    </>
  )
}

const crumbOf = (run: Run | undefined) => (run ? [{ label: run.task_name, to: paths.task(run.task_id) }] : [])

/** Two runs side by side: what was given, how it ended, and what each step did. */
export function CompareRunsPage() {
  const { t } = useTranslation('runs')
  const { a, b } = useSides()
  const left = useOperation(getRun, { params: { id: a ?? 0 } }, { enabled: a !== undefined })
  const right = useOperation(getRun, { params: { id: b ?? 0 } }, { enabled: b !== undefined })
  return (
    <ComparePage
      kind="run"
      crumbs={[{ label: t('title'), to: paths.runs() }, ...crumbOf(right.data)]}
      left={left}
      right={right}
      missing={{
        title: t('compare.missing'),
        text: t('compare.missingText'),
      }}
      list={{ id: 'runs.list', label: t('compare.toList'), to: paths.runs() }}
    >
      {(one, other) => <Sides a={one} b={other} />}
    </ComparePage>
  )
}
