import type { RouteObject } from 'react-router'

export const executorRoutes: RouteObject[] = [
  { path: 'executors', lazy: async () => ({ Component: (await import('./ExecutorsPage.tsx')).ExecutorsPage }) },
]
