import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const dashboardTemplateRoutes: RouteObject[] = [
  {
    path: 'dashboard-templates',
    lazy: async () => ({ Component: (await import('./DashboardTemplatesPage.tsx')).DashboardTemplatesPage }),
  },
  {
    path: 'dashboard-templates/new',
    handle: { needs: 'createDashboardTemplate' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./NewDashboardTemplatePage.tsx')).NewDashboardTemplatePage }),
  },
  // One route for all tabs: what is typed in the editor outlives a look at the versions.
  {
    path: 'dashboard-templates/:id/:tab?',
    lazy: async () => ({ Component: (await import('./DashboardTemplatePage.tsx')).DashboardTemplatePage }),
  },
]
