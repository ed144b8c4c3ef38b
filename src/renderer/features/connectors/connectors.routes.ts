import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const connectorRoutes: RouteObject[] = [
  { path: 'connectors', lazy: async () => ({ Component: (await import('./ConnectorsPage.tsx')).ConnectorsPage }) },
  {
    path: 'connectors/new',
    handle: { needs: 'createConnector' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./ConnectorNewPage.tsx')).ConnectorNewPage }),
  },
  { path: 'connectors/:id', lazy: async () => ({ Component: (await import('./ConnectorPage.tsx')).ConnectorPage }) },
  {
    path: 'connectors/:id/resources',
    lazy: async () => ({ Component: (await import('./ConnectorPage.tsx')).ConnectorPage }),
  },
  {
    path: 'connectors/:id/uploads',
    lazy: async () => ({ Component: (await import('./ConnectorPage.tsx')).ConnectorPage }),
  },
]
