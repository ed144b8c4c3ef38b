import { dashboardTemplateOperations } from '../../../contract/dashboard-templates.ts'
import { dashboardSchema } from '../../../language/dashboard/dashboard-schema.ts'
import type { ParsedDashboard } from '../../../language/dashboard/parse-dashboard.ts'
import { hoverDashboard } from '../../../language/hover-dashboard.ts'
import { paths } from '../../paths.ts'
import type { DocumentKind } from '../../ui/document/document.types.ts'
import { dashboardReader } from './dashboard-reader.ts'

export const dashboardTemplateKind: DocumentKind<ParsedDashboard> = {
  ...dashboardTemplateOperations,
  name: 'dashboard-template',
  opened: 'dashboardTemplate',
  words: 'dashboardTemplates',
  paths: {
    list: paths.dashboardTemplates,
    one: paths.dashboardTemplate,
    versions: paths.dashboardTemplateVersions,
    create: paths.dashboardTemplateNew,
  },
  reader: dashboardReader,
  nameIn: ({ dashboard }) => dashboard?.name,
  tags: async () => [],
  schema: dashboardSchema,
  hover: hoverDashboard,
}
