import type { RouteObject } from 'react-router'

export const shareRoutes: RouteObject[] = [
  { path: 'settings/public-links', lazy: async () => ({ Component: (await import('./SharesPage.tsx')).SharesPage }) },
]
