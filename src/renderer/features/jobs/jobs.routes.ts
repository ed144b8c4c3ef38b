import type { RouteObject } from 'react-router'

export const jobRoutes: RouteObject[] = [
  { path: 'jobs', lazy: async () => ({ Component: (await import('./JobsPage.tsx')).JobsPage }) },
  { path: 'jobs/:id', lazy: async () => ({ Component: (await import('./JobPage.tsx')).JobPage }) },
]
