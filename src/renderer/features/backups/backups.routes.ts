import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const backupRoutes: RouteObject[] = [
  {
    path: 'settings/backups',
    handle: { needs: 'listBackups' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./BackupsPage.tsx')).BackupsPage }),
  },
]
