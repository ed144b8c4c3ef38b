import type { RouteObject } from 'react-router'

export const poolRoutes: RouteObject[] = [
  { path: 'settings/pools', lazy: async () => ({ Component: (await import('./PoolsPage.tsx')).PoolsPage }) },
]
