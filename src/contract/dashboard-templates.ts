import Type, { type Static } from 'typebox'
import { Id, Nullable } from './common.ts'
import { documentLanguage, documentOperations, documentSchemas, documentValidation } from './documents.ts'
import { DashboardView, WidgetLines } from './dashboard-views.ts'
import { ref } from './operation.ts'
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
