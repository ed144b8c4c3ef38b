import type { RouteObject } from 'react-router'

export const dashboardRoutes: RouteObject[] = [
  { path: 'dashboards', lazy: async () => ({ Component: (await import('./DashboardsPage.tsx')).DashboardsPage }) },
  { path: 'dashboards/:id', lazy: async () => ({ Component: (await import('./DashboardPage.tsx')).DashboardPage }) },
]

/** Without navigation around it. */
export const kioskRoutes: RouteObject[] = [
  { path: 'kiosk', lazy: async () => ({ Component: (await import('./KioskPage.tsx')).KioskPage }) },
]
