import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const storeCareRoutes: RouteObject[] = [
  {
    path: 'settings/store',
    handle: { needs: 'getStoreInfo' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./StorePage.tsx')).StorePage }),
  },
]
