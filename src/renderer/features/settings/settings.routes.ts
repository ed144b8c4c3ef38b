import type { RouteObject } from 'react-router'

export const settingsRoutes: RouteObject[] = [
  {
    path: 'settings/appearance',
    lazy: async () => ({ Component: (await import('./AppearancePage.tsx')).AppearancePage }),
  },
  { path: 'settings/server', lazy: async () => ({ Component: (await import('./ServerPage.tsx')).ServerPage }) },
]
