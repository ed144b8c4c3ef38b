/** Every address of the window. Pages arrive with their route; a feature lists its own in `<noun>.routes.ts`. */
import { Navigate, Outlet, type RouteObject, createBrowserRouter } from 'react-router'
import { aiReferenceRoutes } from './features/ai-references/ai-references.routes.ts'
import { aiUsageRoutes } from './features/ai-usage/ai-usage.routes.ts'
import { apiKeyRoutes } from './features/api-keys/api-keys.routes.ts'
import { auditRoutes } from './features/audit/audit.routes.ts'
import { backupRoutes } from './features/backups/backups.routes.ts'
import { brandingRoutes } from './features/branding/branding.routes.ts'
import { connectorRoutes } from './features/connectors/connectors.routes.ts'
import { dashboardRoutes, kioskRoutes } from './features/dashboards/dashboards.routes.ts'
import { dashboardTemplateRoutes } from './features/dashboard-templates/dashboard-templates.routes.ts'
import { docsRoutes } from './features/docs/docs.routes.ts'
import { desktopSettingsRoutes } from './features/desktop-settings/desktop-settings.routes.ts'
import { exchangeRoutes } from './features/exchange/exchange.routes.ts'
import { executorRoutes } from './features/executors/executors.routes.ts'
import { explorerRoutes } from './features/explorer/explorer.routes.ts'
import { homeRoutes } from './features/home/home.routes.ts'
import { jobRunRoutes } from './features/job-runs/job-runs.routes.ts'
import { lineageRoutes } from './features/lineage/lineage.routes.ts'
import { metricRoutes } from './features/metrics/metrics.routes.ts'
import { notificationRoutes } from './features/notifications/notifications.routes.ts'
import { poolRoutes } from './features/pools/pools.routes.ts'
import { jobTemplateRoutes } from './features/job-templates/job-templates.routes.ts'
import { triggerRoutes } from './features/triggers/triggers.routes.ts'
import { jobRoutes } from './features/jobs/jobs.routes.ts'
import { profileRoutes } from './features/profile/profile.routes.ts'
import { runRoutes } from './features/runs/runs.routes.ts'
import { secretsRoutes } from './features/secrets/secrets.routes.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import { shareRoutes } from './features/shares/shares.routes.ts'
import { storeCareRoutes } from './features/store-care/store-care.routes.ts'
import { BareShell } from './features/shell/BareShell.tsx'
import { CrashPage } from './features/shell/CrashPage.tsx'
import { NotFoundPage } from './features/shell/NotFoundPage.tsx'
import { PageOutlet } from './features/shell/PageOutlet.tsx'
import { Shell } from './features/shell/Shell.tsx'
import { SessionGate } from './features/sign-in/SessionGate.tsx'
import { taskRoutes } from './features/tasks/tasks.routes.ts'
import { userRoutes } from './features/users/users.routes.ts'
import { restOfWords } from './i18n/i18n.ts'
import { paths } from './paths.ts'
import { whileAway } from './ui/lazy-part.ts'

const pages: RouteObject[] = [
  ...homeRoutes,
  ...taskRoutes,
  ...jobTemplateRoutes,
  ...jobRunRoutes,
  ...runRoutes,
  ...explorerRoutes,
  ...connectorRoutes,
  ...dashboardRoutes,
  ...dashboardTemplateRoutes,
  ...lineageRoutes,
  ...metricRoutes,
  ...executorRoutes,
  ...settingsRoutes,
  ...shareRoutes,
  ...desktopSettingsRoutes,
  ...backupRoutes,
  ...brandingRoutes,
  ...secretsRoutes,
  ...storeCareRoutes,
  ...exchangeRoutes,
  ...auditRoutes,
  ...apiKeyRoutes,
  ...profileRoutes,
  ...userRoutes,
  ...notificationRoutes,
  ...poolRoutes,
  ...aiReferenceRoutes,
  ...aiUsageRoutes,
  ...jobRoutes,
  ...triggerRoutes,
  ...docsRoutes,
  { path: 'settings', element: <Navigate to={paths.settings()} replace /> },
  { path: '*', Component: NotFoundPage },
]

/** A page waits for its words as it does for its code, and for a server that is away. */
function withWords(route: RouteObject): RouteObject {
  const { lazy } = route
  if (typeof lazy !== 'function') return route
  return { ...route, lazy: async () => (await Promise.all([whileAway(lazy), restOfWords()]))[0] }
}

export const createRouter = () =>
  createBrowserRouter([
    {
      element: (
        <SessionGate>
          <Outlet />
        </SessionGate>
      ),
      HydrateFallback: () => null,
      errorElement: <CrashPage />,
      children: [
        {
          Component: Shell,
          // A page that breaks leaves the navigation standing.
          children: [{ Component: PageOutlet, errorElement: <CrashPage />, children: pages.map(withWords) }],
        },
        { Component: BareShell, children: kioskRoutes.map(withWords) },
      ],
    },
  ])
