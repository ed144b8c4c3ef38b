import type { RouteObject } from 'react-router'

export const brandingRoutes: RouteObject[] = [
  { path: 'settings/branding', lazy: async () => ({ Component: (await import('./BrandingPage.tsx')).BrandingPage }) },
]
