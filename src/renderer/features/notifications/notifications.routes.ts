import type { RouteObject } from 'react-router'

export const notificationRoutes: RouteObject[] = [
  {
    path: 'settings/notifications',
    lazy: async () => ({ Component: (await import('./NotificationsPage.tsx')).NotificationsPage }),
  },
]
