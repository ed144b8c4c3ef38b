import type { RouteObject } from 'react-router'

export const secretsRoutes: RouteObject[] = [
  { path: 'settings/secrets', lazy: async () => ({ Component: (await import('./SecretsPage.tsx')).SecretsPage }) },
]
