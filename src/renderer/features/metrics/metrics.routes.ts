import type { RouteObject } from 'react-router'

export const metricRoutes: RouteObject[] = [
  { path: 'metrics', lazy: async () => ({ Component: (await import('./MetricsPage.tsx')).MetricsPage }) },
  {
    path: 'metrics/custom',
    lazy: async () => ({ Component: (await import('./CustomMetricsPage.tsx')).CustomMetricsPage }),
  },
]
