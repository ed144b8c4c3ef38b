import type { RouteObject } from 'react-router'

export const backupRoutes: RouteObject[] = [
  { path: 'settings/backups', lazy: async () => ({ Component: (await import('./BackupsPage.tsx')).BackupsPage }) },
]
