import { parseDashboard } from '../../../language/dashboard/parse-dashboard.ts'
import type { Platform } from '../../platform/platform.ts'
import type { DashboardTemplatesService } from '../dashboard-templates/dashboard-templates.service.ts'
import { type HeldTemplate, createDashboardsStore } from './dashboards.store.ts'

interface Dependencies {
  templates: Pick<DashboardTemplatesService, 'currentOf'>
}

/** The dashboards that a job gets when it is made and upgraded, in the caller's transaction. */
export function createJobDashboardsService(
  { store, clock, events }: Pick<Platform, 'store' | 'clock' | 'events'>,
  { templates }: Dependencies,
) {
  const dashboards = createDashboardsStore(store)

  return {
    /** What a snapshot of a job made from the template now holds. */
    templatesOf: (jobTemplate: string): HeldTemplate[] => templates.currentOf(jobTemplate),

    /** Gives the job exactly these. What people have entered, and links, stay with a dashboard through its versions. */
    write(jobId: number, held: readonly HeldTemplate[]): void {
      const at = clock.iso()
      const there = new Map(dashboards.ofJob(jobId).map((row) => [row.dashboard_template_id, row]))
      for (const template of held) {
        const { dashboard } = parseDashboard(template.yaml_content)
        const text = {
          template_version: template.version,
          name: template.name,
          description: dashboard?.description ?? null,
          yaml_content: template.yaml_content,
          widget_count: dashboard?.widgets.length ?? 0,
          search_text: `${template.name}\n${dashboard?.description ?? ''}`.toLowerCase(),
          removed: 0 as const,
          updated_at: at,
        }
        const row = there.get(template.id)
        there.delete(template.id)
        if (
          row &&
          row.removed === 0 &&
          row.yaml_content === template.yaml_content &&
          row.template_version === template.version
        )
          continue
        const id = row
          ? row.id
          : dashboards.insert({
              ...text,
              job_id: jobId,
              dashboard_template_id: template.id,
              state: '{}',
              revision: 1,
              created_at: at,
            })
        if (row) dashboards.update(id, text)
        events.append('dashboard.changed', id, { job_id: jobId, name: template.name })
      }
      for (const row of there.values()) {
        if (row.removed === 1) continue
        dashboards.update(row.id, { removed: 1, updated_at: at })
        events.append('dashboard.changed', row.id, { job_id: jobId, name: row.name })
      }
    },
  }
}
