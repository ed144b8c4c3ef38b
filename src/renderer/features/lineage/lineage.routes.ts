import type { RouteObject } from 'react-router'

export const lineageRoutes: RouteObject[] = [
  { path: 'lineage', lazy: async () => ({ Component: (await import('./LineagePage.tsx')).LineagePage }) },
]
