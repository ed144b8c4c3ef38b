import Type, { type Static } from 'typebox'
import { Id, Nullable } from './common.ts'
import { documentLanguage, documentOperations, documentSchemas, documentValidation } from './documents.ts'
import { DashboardView, WidgetData, WidgetDataBody, WidgetLines } from './dashboard-views.ts'
import { WidgetOptionsBody, WidgetOptionsResponse } from './dashboards.ts'
import { operation, ref } from './operation.ts'
import { Diagnostic } from './task-preview.ts'

const wording = {
  name: 'DashboardTemplate',
  path: '/api/dashboard-templates',
  tag: 'Dashboard Templates',
  noun: 'dashboard template',
} as const
const schemas = documentSchemas({
  name: 'DashboardTemplate',
  refs: 'connector of the job template → {types, access}',
  owner: { dashboard_template_id: Id },
  own: {
    job_template_id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Job template that the current version names; null: it does not exist',
    }),
    job_template_name: Type.String(),
    widget_count: Type.Integer({ description: 'Widgets of the current version' }),
  },
})
export type DashboardTemplateDetail = Static<typeof schemas.detail>

export const DashboardTemplateValidation = Type.Object(
  {
    valid: Type.Boolean(),
    diagnostics: Type.Array(ref(Diagnostic)),
    widgets: Type.Array(ref(WidgetLines), { description: 'All that could be read, even if the YAML has errors' }),
    view: Nullable(ref(DashboardView)),
  },
  { $id: 'DashboardTemplateValidation' },
)
export type DashboardTemplateValidation = Static<typeof DashboardTemplateValidation>

export const dashboardTemplateOperations = documentOperations({
  ...wording,
  schemas,
  archiveNote: '; new jobs get no dashboard from it, and existing dashboards are not affected',
})
export const {
  list: listDashboardTemplates,
  create: createDashboardTemplate,
  get: getDashboardTemplate,
  update: updateDashboardTemplate,
  tag: tagDashboardTemplate,
  archive: archiveDashboardTemplate,
  restore: restoreDashboardTemplate,
  listVersions: listDashboardTemplateVersions,
  getVersion: getDashboardTemplateVersion,
  restoreVersion: restoreDashboardTemplateVersion,
} = dashboardTemplateOperations
export const validateDashboardTemplate = documentValidation(
  wording,
  'Check YAML without saving it: data, widgets, overlaps, and the job template, with positions',
  DashboardTemplateValidation,
)
export const getDashboardTemplateSchema = documentLanguage(wording, 'dashboard-template')

const previewOf = {
  yaml_content: Type.String(),
  job_id: { ...Id, description: 'Job whose connectors, runs, and metrics give the rows' },
}
const previewErrors = [
  'VALIDATION_ERROR',
  'INVALID_STATE',
  'NOT_FOUND',
  'PAYLOAD_TOO_LARGE',
  'CONNECTOR_ERROR',
  'UNAVAILABLE',
  'TIMEOUT',
] as const

export const previewDashboardWidget = operation({
  id: 'previewDashboardWidget',
  method: 'POST',
  path: `${wording.path}/preview`,
  tag: wording.tag,
  summary: 'Get the rows of a widget of YAML that isn’t saved, with the data of a job',
  description:
    'For editors: queries run on the connectors of the job, as they would for a dashboard of it, in read-only sessions.',
  security: 'caller',
  audited: false,
  body: Type.Object(
    {
      ...previewOf,
      widget_id: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$', examples: ['revenue'] }),
      ...WidgetDataBody.properties,
    },
    { additionalProperties: false },
  ),
  bodyLimit: 16 * 1_048_576,
  responses: { 200: ref(WidgetData) },
  errors: [...previewErrors],
})

export const previewDashboardOptions = operation({
  id: 'previewDashboardOptions',
  method: 'POST',
  path: `${wording.path}/preview-options`,
  tag: wording.tag,
  summary: 'Get the options of a filter or widget of YAML that isn’t saved, with the data of a job',
  description:
    'For editors. The options are found as `resolveDashboardWidgetOptions` finds them for a saved dashboard.',
  security: 'caller',
  audited: false,
  body: Type.Object(
    {
      ...previewOf,
      widget_id: Type.String({ pattern: '^(\\$filters|[A-Za-z_][A-Za-z0-9_]{0,62})$', examples: ['$filters'] }),
      ...WidgetOptionsBody.properties,
    },
    { additionalProperties: false },
  ),
  bodyLimit: 16 * 1_048_576,
  responses: { 200: ref(WidgetOptionsResponse) },
  errors: [...previewErrors],
})
