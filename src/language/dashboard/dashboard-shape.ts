import { listOf, object, optional, required, withDefault } from '../shape/collections.ts'
import { nameText, text } from '../shape/scalars.ts'
import type { ReadContext, Shape } from '../shape/shape.types.ts'
import { suggest } from '../nearest.ts'
import { languageVersion } from '../task/common-fields.ts'
import { msg } from '../messages.ts'
import type { DashboardCatalogue } from './dashboard.types.ts'
import { dataRecord } from './data.ts'
import { filtersShape, timeWindow } from './filters.ts'
import { MAX_WIDGETS } from './limits.ts'
import { widgetShape } from './widgets/widget-registry.ts'
import type { YamlNode } from '../yaml/yaml-tree.ts'

export const kindDashboard: Shape<'dashboard'> = {
  schema: {
    const: 'dashboard',
    description: 'A dashboard template: widgets that show and start what a job does.',
    examples: ['dashboard'],
  },
  read(node, path, context) {
    if (node.kind === 'scalar' && node.value === 'dashboard') return 'dashboard'
    context.report({
      code: 'not_one_of',
      message: msg('not_a_dashboard_template'),
      hint: msg('write_kind_dashboard'),
      path,
      at: node.mark,
    })
    return undefined
  },
}

const jobTemplateName = nameText({
  description: 'Name of the job template. Each of its jobs gets this dashboard.',
  examples: ['nightly'],
})

export const dashboardShape = object(
  {
    etl: required(languageVersion('dashboard template')),
    kind: required(kindDashboard),
    name: required(nameText({ description: 'Unique name of the dashboard template.', examples: ['nightly.overview'] })),
    description: optional(text({ description: 'What the dashboard shows.', maxLength: 2_000 })),
    job_template: required({
      ...jobTemplateName,
      schema: { ...jobTemplateName.schema, 'x-complete': 'job-template' },
    } satisfies Shape<string>),
    time_window: optional(timeWindow),
    filters: withDefault(filtersShape, {}),
    data: withDefault(dataRecord, {}),
    widgets: required(
      listOf(widgetShape, {
        description: 'What the dashboard shows, in the order of the keyboard.',
        min: 1,
        max: MAX_WIDGETS,
        examples: [
          [{ id: 'trend', type: 'chart', chart: 'line', data: 'revenue', x: 'day', y: ['total'], at: [0, 0, 12, 4] }],
        ],
      }),
    ),
  },
  {
    noun: msg('a_dashboard_template'),
    description: 'A dashboard template: data of a job, and widgets that show it.',
  },
)

/** Whether the job template is there. */
export function checkJobTemplate(node: YamlNode, catalogue: DashboardCatalogue, { report }: ReadContext): void {
  const name = node.kind === 'scalar' && typeof node.value === 'string' ? node.value : ''
  if (name.trim() === '') return
  const template = catalogue.template(name)
  if (template && !template.archived) return
  const names = catalogue.templateNames()
  report({
    code: template ? 'archived_job_template' : 'unknown_job_template',
    message: template ? msg('job_template_archived', { name }) : msg('no_job_template', { name: name.slice(0, 60) }),
    hint: template
      ? msg('restore_job_template')
      : names.length === 0
        ? msg('create_job_template')
        : suggest(name, names, 'job_templates'),
    path: 'job_template',
    at: node.mark,
  })
}
