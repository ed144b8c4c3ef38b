import { Button, CloseButton } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Lineage, type LineageDataset, type LineageTask, getLineage } from '../../../contract/lineage.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { numberText } from '../../ui/format.ts'
import { neighboursOf } from './lineage-nodes.ts'
import classes from './lineage.module.css'
import type { LineageFilters } from './use-lineage-filters.ts'

interface PartProps {
  lineage: Lineage
  onSelect(id: string): void
}

const mostListed = 100

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.field}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Nodes beside this one; a click goes there. */
function Neighbours({ title, ids, lineage, onSelect }: PartProps & { title: string; ids: readonly string[] }) {
  const { t } = useTranslation('lineage')
  const names = useMemo(
    () =>
      new Map([
        ...lineage.datasets.map(({ id, label }) => [id, label] as const),
        ...lineage.tasks.map(({ id, name }) => [id, name] as const),
      ]),
    [lineage],
  )
  return (
    <section className={classes.section}>
      <h3>{title}</h3>
      {ids.length === 0 ? <p className={classes.none}>{t('details.none')}</p> : null}
      <ul>
        {ids.slice(0, mostListed).map((id) => (
          <li key={id}>
            <button type="button" className={classes.link} title={id} onClick={() => onSelect(id)}>
              {names.get(id) ?? id}
            </button>
          </li>
        ))}
      </ul>
      {ids.length > mostListed ? (
        <p className={classes.none}>{t('details.more', { count: ids.length - mostListed })}</p>
      ) : null}
    </section>
  )
}

function RunLink({ id }: { id: number | null }) {
  const { t } = useTranslation('lineage')
  if (id === null) return <span className={classes.none}>{t('details.runRemoved')}</span>
  return (
    <Link to={paths.run(id)} className={classes.run}>
      {t('details.run', { id })}
    </Link>
  )
}

/** Its rule and whether it is met, or the way to make one. */
function Freshness({ dataset: { id, freshness } }: { dataset: LineageDataset }) {
  const { t } = useTranslation('lineage')
  const { can } = useSession()
  if (!freshness) {
    return can('updateMetricsConfig') ? (
      <Field label={t('details.freshness')}>
        <Link to={paths.customMetrics({ new: id })}>{t('details.newRule')}</Link>
      </Field>
    ) : null
  }
  const { metric, state, deadline_at } = freshness
  return (
    <Field label={t('details.freshness')}>
      <StatusBadge status={state === 'ok' ? 'ok' : 'failed'} label={t(`details.fresh.${state}`)} />
      <div className={classes.parts}>
        <span>
          {t('details.due')} <RelativeTime at={deadline_at} />
        </span>
        <Link to={paths.customMetrics({ metric })}>{metric}</Link>
      </div>
    </Field>
  )
}

function Dataset({ dataset, lineage, onSelect }: PartProps & { dataset: LineageDataset }) {
  const { t } = useTranslation('lineage')
  const { t: graph } = useTranslation('graph')
  const { before, after } = neighboursOf(lineage, dataset.id)
  const last = dataset.last_written
  return (
    <>
      <dl className={classes.fields}>
        <Field label={t('details.kind')}>
          {graph(dataset.kind)}
          {dataset.pattern ? ` · ${t('details.pattern')}` : ''}
        </Field>
        <Field label={t('details.place')}>
          <span className={classes.mono}>{dataset.namespace}</span>
        </Field>
        {dataset.name === dataset.label ? null : (
          <Field label={t('details.name')}>
            <span className={classes.mono}>{dataset.name}</span>
          </Field>
        )}
        <Field label={t('details.connectors')}>
          {dataset.connectors.length === 0
            ? t('details.unbound')
            : dataset.connectors.map(({ id, name }) => (
                <Link key={id} to={paths.connector(id)} className={classes.listed}>
                  {name}
                </Link>
              ))}
        </Field>
        <Field label={t('details.lastWritten')}>
          {last ? (
            <div className={classes.parts}>
              <RelativeTime at={last.at} />
              <RunLink id={last.run_id} />
            </div>
          ) : (
            t('node.neverWritten')
          )}
        </Field>
        {last ? (
          <Field label={t('details.by')}>
            <Link to={paths.task(last.task_id)}>{last.task_name}</Link>
          </Field>
        ) : null}
        <Freshness dataset={dataset} />
        {last && last.rows !== null ? <Field label={t('details.lastRows')}>{numberText(last.rows)}</Field> : null}
      </dl>
      <Neighbours title={t('details.filledBy')} ids={before} lineage={lineage} onSelect={onSelect} />
      <Neighbours title={t('details.readBy')} ids={after} lineage={lineage} onSelect={onSelect} />
    </>
  )
}

function Columns({ task }: { task: LineageTask }) {
  const { t } = useTranslation('lineage')
  const asked = useOperation(getLineage, { query: { task_id: task.task_id, depth: 0, columns: true } })
  const columns = asked.data?.tasks.find(({ id }) => id === task.id)?.columns
  if (asked.data && !columns) {
    return (
      <section className={classes.section}>
        <h3>{t('details.columns')}</h3>
        <p className={classes.none}>
          <CodeWords text={t('details.columnsUnknown')} />
        </p>
      </section>
    )
  }
  if (!columns) return null
  return (
    <section className={classes.section}>
      <h3>{t('details.columns')}</h3>
      {columns.known.length > 0 ? (
        <table className={classes.columns}>
          <thead>
            <tr>
              <th scope="col">{t('details.column')}</th>
              <th scope="col">{t('details.from')}</th>
            </tr>
          </thead>
          <tbody>
            {columns.known.map(({ name, origins }) => (
              <tr key={name}>
                <td>{name}</td>
                <td>
                  {origins.length === 0 ? <span className={classes.none}>{t('details.noColumn')}</span> : null}
                  {origins.map(({ part, column, unchanged }) => (
                    <div key={`${part} ${column}`}>
                      {part === 'source' ? column : `${part.replace(/^inputs\./, '')}.${column}`}
                      {unchanged ? null : <span className={classes.none}> · {t('details.computed')}</span>}
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {columns.others ? <p className={classes.none}>{t('details.otherColumns')}</p> : null}
    </section>
  )
}

function Task({ task, lineage, onSelect }: PartProps & { task: LineageTask }) {
  const { t } = useTranslation('lineage')
  const { before, after } = neighboursOf(lineage, task.id)
  return (
    <>
      <dl className={classes.fields}>
        <Field label={t('details.jobs')}>
          {task.jobs.length === 0
            ? t('node.noJob')
            : task.jobs.slice(0, mostListed).map(({ job_id, name, task_key }) => (
                <Link key={`${job_id} ${task_key}`} to={paths.job(job_id)} className={classes.listed}>
                  {name}
                </Link>
              ))}
        </Field>
        <Field label={t('details.lastRun')}>
          {task.last_run ? (
            <>
              <StatusBadge status={task.last_run.status} />
              <div className={classes.parts}>
                <RelativeTime at={task.last_run.at} />
                <RunLink id={task.last_run.run_id} />
              </div>
            </>
          ) : (
            <StatusBadge status="not_run" />
          )}
        </Field>
      </dl>
      <Neighbours title={t('details.reads')} ids={before} lineage={lineage} onSelect={onSelect} />
      <Neighbours title={t('details.writes')} ids={after} lineage={lineage} onSelect={onSelect} />
      <Columns task={task} />
    </>
  )
}

interface LineageDetailsProps {
  lineage: Lineage
  id: string
  filters: LineageFilters
}

/** What is known of the chosen dataset or task, and what is beside it. */
export function LineageDetails({ lineage, id, filters }: LineageDetailsProps) {
  const { t } = useTranslation('lineage')
  const dataset = lineage.datasets.find((one) => one.id === id)
  const task = lineage.tasks.find((one) => one.id === id)
  const name = dataset?.label ?? task?.name ?? id
  const { start } = filters
  const isStart = dataset ? start.dataset === dataset.id : start.task_id === task?.task_id
  const onSelect = (node: string) => filters.change({ node, q: null })
  const only = () =>
    filters.change({
      dataset: dataset?.id ?? null,
      task: task ? String(task.task_id) : null,
      job: null,
      connector: null,
      q: null,
    })
  return (
    <div className={classes.details}>
      <header className={classes.head}>
        <h2 title={name}>{name}</h2>
        <CloseButton size="sm" aria-label={t('details.close')} onClick={() => filters.change({ node: null })} />
      </header>
      <ScrollRegion label={t('details.label', { name })} className={classes.body}>
        <div className={classes.actions}>
          {task ? (
            <Button size="compact-sm" variant="default" component={Link} to={paths.task(task.task_id)}>
              {t('details.openTask')}
            </Button>
          ) : null}
          {isStart ? null : (
            <Button size="compact-sm" variant="default" onClick={only}>
              {t('details.only')}
            </Button>
          )}
        </div>
        {dataset ? <Dataset dataset={dataset} lineage={lineage} onSelect={onSelect} /> : null}
        {task ? <Task task={task} lineage={lineage} onSelect={onSelect} /> : null}
      </ScrollRegion>
    </div>
  )
}
