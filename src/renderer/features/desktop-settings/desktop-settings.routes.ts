import type { RouteObject } from 'react-router'

export const desktopSettingsRoutes: RouteObject[] = [
  {
    path: 'settings/desktop',
    lazy: async () => ({ Component: (await import('./DesktopPage.tsx')).DesktopPage }),
  },
]
