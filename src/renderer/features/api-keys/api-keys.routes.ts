import type { RouteObject } from 'react-router'

export const apiKeyRoutes: RouteObject[] = [
  { path: 'settings/api-keys', lazy: async () => ({ Component: (await import('./ApiKeysPage.tsx')).ApiKeysPage }) },
]
