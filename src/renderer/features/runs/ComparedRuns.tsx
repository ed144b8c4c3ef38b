import { useTranslation } from 'react-i18next'
import { orDash } from '../../ui/nothing.tsx'
import { Link } from 'react-router'
import { getConnector } from '../../../contract/connectors.ts'
import type { Run } from '../../../contract/runs.ts'
import { getTaskVersion } from '../../../contract/tasks.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { Duration } from '../../ui/Duration.tsx'
import { AbsoluteTime } from '../../ui/AbsoluteTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { ComparedFacts, ComparedValues, type Fact, SideHead, factsOf } from '../../ui/compare/ComparedTables.tsx'
import { Difference, isNoise } from '../../ui/compare/Difference.tsx'
import { type Values, compareValues, minus } from '../../ui/compare/compare-values.ts'
import classes from '../../ui/compare/compare.module.css'
import { countText } from '../../ui/format.ts'
import { useReading } from '../../ui/document/reading.ts'
import { jsonObject, laneOf, mappingOf, rowsIn } from './run-facts.ts'
import { taskReader } from '../tasks/task-reader.ts'
import { useStartedBy } from './use-started-by.ts'
import { translateError } from '../../i18n/translate.ts'

function ErrorText({ run }: { run: Run }) {
  if (run.error_message === null) return orDash(null)
  return (
    <span title={translateError(run) ?? undefined}>
      <CodeWords text={translateError(run) ?? ''} />
    </span>
  )
}

/** A fact that is of interest only where the runs differ in it. */
const ifDiffers = (fact: Fact): Fact[] => (fact.differs ? [fact] : [])

function useFacts(a: Run, b: Run): Fact[] {
  const { t } = useTranslation('runs')
  const startedBy = useStartedBy()
  const fact = factsOf(a, b)
  const laneName = (run: Run) => {
    const lane = laneOf(run)
    return orDash(lane && t(`lanes.${lane}`))
  }
  const counts = (id: string, name: string, count: (run: Run) => number | null) =>
    fact(
      id,
      name,
      (run) => orDash(countText(count(run))),
      count,
      <Difference value={minus(count(a), count(b))} kind="count" />,
    )
  return [
    ...ifDiffers(
      fact(
        'task',
        t('list.columns.task'),
        (run) => <Link to={paths.task(run.task_id)}>{run.task_name}</Link>,
        (run) => run.task_id,
      ),
    ),
    fact(
      'status',
      t('list.columns.status'),
      (run) => <StatusBadge status={run.status} />,
      (run) => run.status,
    ),
    ...(a.error_message === null && b.error_message === null
      ? []
      : [
          fact(
            'error',
            t('list.columns.error'),
            (run) => <ErrorText run={run} />,
            (run) => run.error_message,
          ),
        ]),
    fact(
      'version',
      t('page.version'),
      (run) => (
        <>
          <Link to={paths.taskVersions(run.task_id, { to: run.task_version })}>
            {t('page.versionLink', { version: run.task_version })}
          </Link>
          {run.overridden ? ` (${t('compare.overridden')})` : null}
        </>
      ),
      (run) => `${run.task_version} ${String(run.overridden)}`,
    ),
    fact(
      'duration',
      t('page.duration'),
      (run) => <Duration ms={run.duration_ms} since={run.status === 'running' ? run.started_at : null} />,
      (run) => (isNoise((b.duration_ms ?? 0) - (a.duration_ms ?? 0)) ? null : run.duration_ms),
      <Difference value={minus(a.duration_ms, b.duration_ms)} kind="time" />,
    ),
    counts('in', t('page.rowsIn'), rowsIn),
    counts('out', t('page.rowsOut'), (run) => run.item_count),
    counts('rejected', t('page.rejected'), (run) => run.reject_count),
    ...ifDiffers(fact('lane', t('page.lane'), laneName, laneOf)),
    ...ifDiffers(
      fact(
        'refresh',
        t('page.state'),
        (run) => (run.full_refresh ? t('page.fullRefresh') : orDash(null)),
        (run) => run.full_refresh,
      ),
    ),
    ...ifDiffers(
      fact(
        'executor',
        t('page.executor'),
        (run) => orDash(run.executor_name),
        (run) => run.executor_name,
      ),
    ),
    fact('trigger', t('page.trigger'), startedBy, (run) => `${run.trigger_type} ${run.created_by}`),
    fact(
      'created',
      t('page.created'),
      (run) => <AbsoluteTime at={run.created_at} seconds="full" />,
      () => null,
    ),
  ]
}

function Connector({ id }: { id: number }) {
  const connector = useOperation(getConnector, { params: { id } })
  return <Link to={paths.connector(id)}>{connector.data?.name ?? `#${id}`}</Link>
}

const connectorsOf = (run: Run) => ({ given: Object.fromEntries(mappingOf(run)) })

/** Those of the run; for the others, what its version of the task says. Of overridden YAML nobody knows. */
function useArguments(run: Run): Values {
  const version = useOperation(
    getTaskVersion,
    { params: { id: run.task_id, vid: run.task_version } },
    { enabled: !run.overridden },
  )
  const { parsed } = useReading(taskReader, version.data?.yaml_content ?? '')
  const defaults = Object.entries(parsed.arguments).map(([name, spec]) => [name, spec.default] as const)
  return { given: jsonObject(run.arguments) ?? {}, defaults: Object.fromEntries(defaults) }
}

const connectorOf = (id: unknown) => <Connector id={Number(id)} />

const headOf = (id: number, other: number) => <SideHead id={id} other={other} text={`#${id}`} to={paths.run(id)} />

/** What both runs are, and what they were given. */
export function ComparedRuns({ a, b }: { a: Run; b: Run }) {
  const { t } = useTranslation('runs')
  const { t: word } = useTranslation()
  const heads = { a: headOf(a.id, b.id), b: headOf(b.id, a.id) }
  const brief = { a: `#${a.id}`, b: `#${b.id}` }
  return (
    <div className={classes.facts}>
      <ComparedFacts label={t('compare.facts')} heads={heads} facts={useFacts(a, b)} />
      <div>
        <ComparedValues
          label={word('compare.arguments')}
          heads={brief}
          rows={compareValues(useArguments(a), useArguments(b))}
          none={word('compare.noArguments')}
        />
        <ComparedValues
          label={t('details.connectors')}
          heads={brief}
          rows={compareValues(connectorsOf(a), connectorsOf(b))}
          none={t('details.noConnectors')}
          shown={connectorOf}
        />
      </div>
    </div>
  )
}
