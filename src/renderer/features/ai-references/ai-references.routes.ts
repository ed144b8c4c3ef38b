import type { RouteObject } from 'react-router'

export const aiReferenceRoutes: RouteObject[] = [
  {
    path: 'settings/ai-references',
    lazy: async () => ({ Component: (await import('./AiReferencesPage.tsx')).AiReferencesPage }),
  },
]
