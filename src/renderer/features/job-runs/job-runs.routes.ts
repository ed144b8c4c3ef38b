import type { RouteObject } from 'react-router'

export const jobRunRoutes: RouteObject[] = [
  { path: 'job-runs', lazy: async () => ({ Component: (await import('./JobRunsPage.tsx')).JobRunsPage }) },
  {
    path: 'job-runs/compare',
    lazy: async () => ({ Component: (await import('./CompareJobRunsPage.tsx')).CompareJobRunsPage }),
  },
  { path: 'job-runs/:id', lazy: async () => ({ Component: (await import('./JobRunPage.tsx')).JobRunPage }) },
]
