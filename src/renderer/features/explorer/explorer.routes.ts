import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const explorerRoutes: RouteObject[] = [
  {
    path: 'explorer',
    handle: { needs: 'queryConnector' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./ExplorerPage.tsx')).ExplorerPage }),
  },
]
