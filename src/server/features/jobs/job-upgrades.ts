import { msg } from '../../../contract/messages.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { JobUpgrade, upgradeJob } from '../../../contract/jobs.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { JobDocument, TaskNode } from '../../../language/job/job.types.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid, invalidState, notFound } from '../../platform/refusal.ts'
import type { JobTemplatesService } from '../job-templates/job-templates.service.ts'
import type { TaskCatalogueService } from '../tasks/task-catalogue.service.ts'
import type { JobDashboards } from './job-dashboards.ts'
import type { JobOverrides } from './job-overrides.ts'
import { type JobRecords, etagOf, mappingOf, parametersOf } from './job-records.ts'
import type { JobTerms } from './job-terms.ts'
import { type HeldDashboard, compareDashboards, compareTasks } from './job-upgrade.rules.ts'
import { byKey, carriedOver, keptParameters } from './jobs.rules.ts'
import type { JobWithTemplate } from './jobs.store.ts'
import type { PinnedTask } from './jobs.table.ts'

interface Dependencies {
  records: JobRecords
  terms: JobTerms
  overrides: JobOverrides
  templates: JobTemplatesService
  tasks: TaskCatalogueService
  dashboards: JobDashboards
}
type Body = BodyOf<typeof upgradeJob>

/** What an upgrade would do, and what it would write; null: the new template cannot be read, so there is nothing to write. */
interface Plan {
  answer: JobUpgrade
  next: {
    pinned: Record<string, PinnedTask>
    dashboards: HeldDashboard[]
    connector_mapping: string
    parameters: string
    /** Task keys whose own YAML goes, as their task does. */
    dropped: string[]
  } | null
}

/** Takes a job to the newest versions of its template and tasks. Job runs under way stay on what they were started with. */
export function createJobUpgrades(
  { store, clock }: Pick<Platform, 'store' | 'clock'>,
  { records, terms, overrides, templates, tasks, dashboards }: Dependencies,
) {
  const { jobs, snapshots, held, need, changed, snapshotId } = records

  function compareOverrides(document: JobDocument, mapping: Record<string, number>, jobId: number) {
    return Object.entries(records.overrides(jobId)).map(([task_key, hash]) => {
      const node = taskOf(document, task_key)
      const text = records.text(hash)?.yaml_content ?? ''
      const diagnostics = node ? overrides.fit(node, mapping, text) : []
      return { task_key, gone: !node, fits: node !== undefined && diagnostics.length === 0, diagnostics }
    })
  }

  function plan(row: JobWithTemplate, body: Body): Plan {
    const template = templates.textOf(row.job_template_id) ?? notFound()
    if (template.archived) invalidState(msg('template_archived_upgrade', { name: template.name }))
    const { row: now } = held.read(snapshotId(row))
    const parsed = templates.parse(template.yaml_content)
    const unfit = terms.templateProblems(parsed)
    const newer = template.version !== now.template_version
    const answer = {
      dry_run: body.dry_run ?? false,
      template: {
        from_version: now.template_version,
        to_version: template.version,
        before: now.yaml_content,
        after: template.yaml_content,
      },
    }
    const document = parsed.job
    if (!document || unfit.length > 0) {
      return {
        answer: { ...answer, changed: newer, tasks: [], dashboards: [], overrides: [], problems: unfit },
        next: null,
      }
    }
    const pinned = terms.pin(document)
    const mapping = carriedOver(mappingOf(row), document.connectors, body.connector_mapping ?? {})
    const parameters = keptParameters(carriedOver(parametersOf(row), document.parameters, body.parameters ?? {}))
    const compared = compareTasks(now.tasks, pinned, tasks.text)
    const shown = dashboards.templatesOf(template.name)
    const comparedDashboards = compareDashboards(now.dashboard_templates, shown)
    const own = compareOverrides(document, mapping, row.id)
    const remaining = byKey(Object.entries(records.overrides(row.id)).filter(([key]) => taskOf(document, key)))
    const problems: ErrorDetail[] = [
      ...terms.bindingProblems(document, pinned, mapping, remaining),
      ...terms.parameterProblems(document, parameters),
      ...own.filter(({ gone, fits }) => !gone && !fits).map(({ task_key }) => misfit(task_key)),
    ]
    return {
      answer: {
        ...answer,
        changed: newer || [...compared, ...comparedDashboards].some(({ change }) => change !== 'unchanged'),
        tasks: compared,
        dashboards: comparedDashboards,
        overrides: own.map(({ task_key, fits, diagnostics }) => ({ task_key, fits, diagnostics })),
        problems,
      },
      next: {
        pinned,
        dashboards: shown,
        connector_mapping: JSON.stringify(mapping),
        parameters: JSON.stringify(parameters),
        dropped: own.filter(({ gone }) => gone).map(({ task_key }) => task_key),
      },
    }
  }

  function apply(row: JobWithTemplate, { answer, next }: Plan): void {
    if (!next || answer.problems.length > 0) invalid(answer.problems, msg('job_not_upgraded'))
    const { connector_mapping, parameters } = next
    const same = connector_mapping === row.connector_mapping && parameters === row.parameters
    if (!answer.changed && same) return
    const at = clock.iso()
    const { to_version: template_version, after: yaml_content } = answer.template
    const snapshot_id = answer.changed
      ? snapshots.insert({
          job_id: row.id,
          job_template_id: row.job_template_id,
          template_version,
          yaml_content,
          tasks: next.pinned,
          dashboard_templates: next.dashboards,
          created_at: at,
        })
      : snapshotId(row)
    dashboards.write(row.id, next.dashboards)
    for (const key of next.dropped) snapshots.removeOverride(row.id, key)
    jobs.update(row.id, { connector_mapping, parameters, snapshot_id, template_version, updated_at: at })
    changed(row.id)
  }

  return {
    /** A dry run writes nothing. `guard` sees the ETag of the stored job before anything changes. */
    upgrade: (id: number, body: Body, guard: (etag: string) => void): JobUpgrade =>
      store.transaction(() => {
        const row = need(id)
        guard(etagOf(row))
        const planned = plan(row, body)
        if (!planned.answer.dry_run) apply(row, planned)
        return planned.answer
      }),
  }
}

function taskOf({ tasks }: JobDocument, key: string): TaskNode | undefined {
  const node = Object.hasOwn(tasks, key) ? tasks[key] : undefined
  return node?.kind === 'task' ? node : undefined
}

const misfit = (task_key: string): ErrorDetail => ({
  path: `overrides.${task_key}`,
  ...msg('override_misfit', { key: task_key }),
})
