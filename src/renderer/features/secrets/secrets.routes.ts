import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const secretsRoutes: RouteObject[] = [
  {
    path: 'settings/secrets',
    handle: { needs: 'getSecretsState' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./SecretsPage.tsx')).SecretsPage }),
  },
]
