import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const jobTemplateRoutes: RouteObject[] = [
  {
    path: 'job-templates',
    lazy: async () => ({ Component: (await import('./JobTemplatesPage.tsx')).JobTemplatesPage }),
  },
  {
    path: 'job-templates/new',
    handle: { needs: 'createJobTemplate' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./NewJobTemplatePage.tsx')).NewJobTemplatePage }),
  },
  // One route for all tabs: what is typed in the editor outlives a look at the versions.
  {
    path: 'job-templates/:id/:tab?',
    lazy: async () => ({ Component: (await import('./JobTemplatePage.tsx')).JobTemplatePage }),
  },
]
