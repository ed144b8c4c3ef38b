import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const aiUsageRoutes: RouteObject[] = [
  {
    path: 'settings/ai-usage',
    handle: { needs: 'generateTask' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./AiUsagePage.tsx')).AiUsagePage }),
  },
]
