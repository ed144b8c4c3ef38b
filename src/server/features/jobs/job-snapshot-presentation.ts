import type { JobSnapshot } from '../../../contract/jobs.ts'
import type { TaskCatalogueService } from '../tasks/task-catalogue.service.ts'
import type { HeldSnapshots } from './held-snapshots.ts'
import type { JobRecords } from './job-records.ts'
import type { JobTerms } from './job-terms.ts'

interface Dependencies {
  records: JobRecords
  terms: JobTerms
  tasks: TaskCatalogueService
}

/** What a job holds, with the texts of its tasks and what it runs instead. */
export function presentSnapshot(
  { row, parsed }: ReturnType<HeldSnapshots['read']>,
  { records, terms, tasks }: Dependencies,
): JobSnapshot {
  const overrides = records.overrides(row.job_id)
  return {
    id: row.id,
    job_id: row.job_id,
    job_template_id: row.job_template_id,
    template_version: row.template_version,
    yaml_content: row.yaml_content,
    nodes: parsed.nodes.map((node) => ({ ...node, task_id: row.tasks[node.key]?.task_id ?? null })),
    parameters: { ...parsed.parameters },
    // What may be bound, which the tasks say; the text alone where this server's language cannot read it any more.
    connector_refs: parsed.job ? terms.needed(parsed.job, row.tasks, overrides) : { ...parsed.connector_refs },
    tasks: Object.entries(row.tasks).map(([task_key, { task_id, task_name, version }]) => ({
      task_key,
      task_id,
      task_name,
      version,
      newest_version: tasks.currentVersion(task_id) ?? version,
      // Versions are never taken away.
      yaml_content: tasks.text(task_id, version) ?? '',
      override_yaml: records.text(overrides[task_key] ?? '')?.yaml_content ?? null,
    })),
    dashboard_templates: row.dashboard_templates,
    created_at: row.created_at,
  }
}
