import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const exchangeRoutes: RouteObject[] = [
  {
    path: 'exchange/import',
    handle: { needs: 'importBundle' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./ImportPage.tsx')).ImportPage }),
  },
  {
    path: 'exchange/export',
    handle: { needs: 'exportBundle' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./ExportPage.tsx')).ExportPage }),
  },
]
