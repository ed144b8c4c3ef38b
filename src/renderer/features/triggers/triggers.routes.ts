import type { RouteObject } from 'react-router'

export const triggerRoutes: RouteObject[] = [
  { path: 'triggers', lazy: async () => ({ Component: (await import('./TriggersPage.tsx')).TriggersPage }) },
]
