import type { RouteObject } from 'react-router'

export const exchangeRoutes: RouteObject[] = [
  { path: 'exchange/import', lazy: async () => ({ Component: (await import('./ImportPage.tsx')).ImportPage }) },
  { path: 'exchange/export', lazy: async () => ({ Component: (await import('./ExportPage.tsx')).ExportPage }) },
]
