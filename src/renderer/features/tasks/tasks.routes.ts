import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const taskRoutes: RouteObject[] = [
  { path: 'tasks', lazy: async () => ({ Component: (await import('./TasksPage.tsx')).TasksPage }) },
  {
    path: 'tasks/new',
    handle: { needs: 'createTask' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./NewTaskPage.tsx')).NewTaskPage }),
  },
  // One route for all tabs of a task: what is typed in the editor outlives a look at the versions.
  { path: 'tasks/:id/:tab?', lazy: async () => ({ Component: (await import('./TaskPage.tsx')).TaskPage }) },
]
