import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const settingsRoutes: RouteObject[] = [
  {
    path: 'settings/appearance',
    lazy: async () => ({ Component: (await import('./AppearancePage.tsx')).AppearancePage }),
  },
  {
    path: 'settings/configuration',
    handle: { needs: 'getServerConfig' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./ConfigurationPage.tsx')).ConfigurationPage }),
  },
  {
    path: 'settings/server',
    handle: { needs: 'getServerInfo' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./ServerPage.tsx')).ServerPage }),
  },
]
