/** Starts a job by a button, with what was entered. */
import type { DashboardState, submitWidget } from '../../../contract/dashboards.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { JobRun } from '../../../contract/job-runs.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { FormField, RunButtonWidget, Widget } from '../../../language/dashboard/dashboard.types.ts'
import { isEmptyValue, startValues } from '../../../language/dashboard/form-values.ts'
import { resolveParameters } from '../../../language/job/resolve-job.ts'
import { invalid } from '../../platform/refusal.ts'
import { problemsIn } from '../../platform/versioned-text.ts'
import type { JobRunReadsService } from '../job-runs/job-run-reads.service.ts'
import type { JobRunsService } from '../job-runs/job-runs.service.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import type { Origin } from '../runs/runs.service.ts'
import type { DashboardsService, OpenDashboard } from './dashboards.service.ts'

interface Dependencies {
  dashboards: Pick<DashboardsService, 'stateOf'>
  jobs: Pick<JobsService, 'forRun' | 'heldSnapshot'>
  jobRuns: Pick<JobRunsService, 'run'>
  reads: Pick<JobRunReadsService, 'present'>
}
type Body = BodyOf<typeof submitWidget>

export function createWidgetSubmitService({ dashboards, jobs, jobRuns, reads }: Dependencies) {
  /** What the button gives the job, with each mistake at its place in the body. */
  function argumentsOf(
    { document }: OpenDashboard,
    { form, mappings }: RunButtonWidget,
    { values = {}, mappings: mapped = {} }: Body,
    state: DashboardState,
  ) {
    const details: ErrorDetail[] = []
    const given: Record<string, unknown> = {}
    const places = new Map<string, string>()
    const widget = document.widgets.find(
      (one): one is Extract<Widget, { type: 'form' }> => one.type === 'form' && one.id === form,
    )
    const fields: readonly FormField[] = widget?.fields ?? []
    const entered = { ...startValues(fields), ...(form === null ? {} : state.forms?.[form]), ...values }
    for (const key of Object.keys(values)) {
      if (!fields.some((field) => field.key === key))
        details.push({ path: `body.values.${key}`, ...msg('form_field_unknown', { name: key.slice(0, 60) }) })
    }
    for (const { key, param, required } of fields) {
      const value = Object.hasOwn(entered, key) ? entered[key] : undefined
      if (!isEmptyValue(value)) given[param] = value
      else if (required) details.push({ path: `body.values.${key}`, ...msg('form_field_required') })
      places.set(param, `values.${key}`)
    }
    for (const id of Object.keys(mapped)) {
      if (!mappings.includes(id))
        details.push({ path: `body.mappings.${id}`, ...msg('mapping_unknown', { name: id.slice(0, 60) }) })
    }
    for (const id of mappings) {
      const one = document.widgets.find(
        (other): other is Extract<Widget, { type: 'field_mapping' }> =>
          other.type === 'field_mapping' && other.id === id,
      )
      if (!one) continue
      const mapping = (Object.hasOwn(mapped, id) ? mapped[id] : state.mappings?.[id]) ?? {}
      for (const target of one.required) {
        if (!Object.hasOwn(mapping, target) || mapping[target] === '')
          details.push({ path: `body.mappings.${id}`, ...msg('mapping_target_missing', { target }) })
      }
      if (Object.keys(mapping).length > 0) given[one.param] = mapping
      places.set(one.param, `mappings.${id}`)
    }
    return { given, details, places }
  }

  return {
    submit(
      open: OpenDashboard,
      widget: Widget,
      body: Body,
      origin: Origin,
      remember: (run: JobRun) => void,
    ): Promise<JobRun> {
      if (widget.type !== 'run_button') invalid([{ path: 'params.widgetId', ...msg('widget_not_a_button') }])
      const { given, details, places } = argumentsOf(open, widget, body, dashboards.stateOf(open))
      const { job_id } = open.row
      const { document } = jobs.heldSnapshot(jobs.forRun(job_id).snapshot_id)
      const specs = Object.fromEntries(
        Object.entries(document.parameters).filter(([name]) => Object.hasOwn(given, name)),
      )
      const { problems } = resolveParameters(specs, given)
      const placed = problems.map(({ path, ...problem }) => {
        const name = /^[^[.]*/.exec(path)?.[0] ?? path
        return { ...problem, path: `${places.get(name) ?? `values.${name}`}${path.slice(name.length)}` }
      })
      const all = [...details, ...problemsIn(placed, 'body')]
      if (all.length > 0) invalid(all)
      return jobRuns.run(job_id, { arguments: given }, origin, reads.present, remember)
    },
  }
}
export type WidgetSubmitService = ReturnType<typeof createWidgetSubmitService>
