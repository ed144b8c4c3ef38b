import type { RouteObject } from 'react-router'
import type { PageHandle } from '../shell/PageOutlet.tsx'

export const brandingRoutes: RouteObject[] = [
  {
    path: 'settings/branding',
    handle: { needs: 'updateBranding' } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('./BrandingPage.tsx')).BrandingPage }),
  },
]
