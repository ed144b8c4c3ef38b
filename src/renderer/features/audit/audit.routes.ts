import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const auditRoutes: RouteObject[] = [
  {
    path: 'audit',
    handle: { needs: 'listAudit' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./AuditPage.tsx')).AuditPage }),
  },
]
