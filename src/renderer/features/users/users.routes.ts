import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const userRoutes: RouteObject[] = [
  {
    path: 'users',
    handle: { needs: 'listUsers' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./UsersPage.tsx')).UsersPage }),
  },
  {
    path: 'users/:id',
    handle: { needs: 'getUser' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./UserPage.tsx')).UserPage }),
  },
]
