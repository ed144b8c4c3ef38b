import type { RouteObject } from 'react-router'

export const runRoutes: RouteObject[] = [
  { path: 'runs', lazy: async () => ({ Component: (await import('./RunsPage.tsx')).RunsPage }) },
  {
    path: 'runs/compare',
    lazy: async () => ({ Component: (await import('./CompareRunsPage.tsx')).CompareRunsPage }),
  },
  {
    path: 'runs/:id/fix-rejects',
    lazy: async () => ({ Component: (await import('./FixRejectsPage.tsx')).FixRejectsPage }),
  },
  { path: 'runs/:id', lazy: async () => ({ Component: (await import('./RunPage.tsx')).RunPage }) },
]
