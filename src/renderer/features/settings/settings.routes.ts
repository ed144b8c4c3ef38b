import type { RouteObject } from 'react-router'

export const settingsRoutes: RouteObject[] = [
  {
    path: 'settings/appearance',
    lazy: async () => ({ Component: (await import('./AppearancePage.tsx')).AppearancePage }),
  },
  {
    path: 'settings/configuration',
    lazy: async () => ({ Component: (await import('./ConfigurationPage.tsx')).ConfigurationPage }),
  },
  { path: 'settings/server', lazy: async () => ({ Component: (await import('./ServerPage.tsx')).ServerPage }) },
]
