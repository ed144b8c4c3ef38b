import type { RouteObject } from 'react-router'

export const storeCareRoutes: RouteObject[] = [
  { path: 'settings/store', lazy: async () => ({ Component: (await import('./StorePage.tsx')).StorePage }) },
]
