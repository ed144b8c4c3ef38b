import {
  IconArrowsExchange,
  IconBriefcase,
  IconCalendarClock,
  IconChartHistogram,
  IconFileCode,
  IconHistory,
  IconHome2,
  IconLayoutDashboard,
  IconLayoutGrid,
  IconPlugConnected,
  IconRun,
  IconServer2,
  IconSettings,
  IconSitemap,
  IconTableSpark,
  IconTimeline,
  IconUsers,
  IconVectorSpline,
  type TablerIcon,
} from '@tabler/icons-react'
import type { OperationId } from '../../../contract/operations.ts'
import { paths } from '../../paths.ts'

export interface NavItem {
  name:
    | 'home'
    | 'tasks'
    | 'jobTemplates'
    | 'jobs'
    | 'jobRuns'
    | 'runs'
    | 'triggers'
    | 'explorer'
    | 'connectors'
    | 'dashboards'
    | 'dashboardTemplates'
    | 'lineage'
    | 'metrics'
    | 'executors'
    | 'users'
    | 'exchange'
    | 'audit'
    | 'settings'
  command:
    | 'goHome'
    | 'goTasks'
    | 'goJobTemplates'
    | 'goJobs'
    | 'goJobRuns'
    | 'goRuns'
    | 'goTriggers'
    | 'goExplorer'
    | 'goConnectors'
    | 'goDashboards'
    | 'goDashboardTemplates'
    | 'goLineage'
    | 'goMetrics'
    | 'goExecutors'
    | 'goUsers'
    | 'goExchange'
    | 'goAudit'
    | 'goSettings'
  icon: TablerIcon
  to: string
  /** Everything below this path belongs to the item. */
  root: string
  shortcut: string
  /** Who may not perform it does not see the item. */
  needs?: OperationId
}

export interface NavGroup {
  name: 'work' | 'data' | 'monitoring' | 'administration'
  items: readonly NavItem[]
}

/** The main navigation, in order. */
export const navGroups: readonly NavGroup[] = [
  {
    name: 'work',
    items: [
      { name: 'home', command: 'goHome', icon: IconHome2, to: paths.home(), root: '/', shortcut: 'g h' },
      { name: 'tasks', command: 'goTasks', icon: IconFileCode, to: paths.tasks(), root: '/tasks', shortcut: 'g t' },
      {
        name: 'jobTemplates',
        command: 'goJobTemplates',
        icon: IconSitemap,
        to: paths.jobTemplates(),
        root: '/job-templates',
        shortcut: 'g p',
      },
      { name: 'jobs', command: 'goJobs', icon: IconBriefcase, to: paths.jobs(), root: '/jobs', shortcut: 'g j' },
      {
        name: 'jobRuns',
        command: 'goJobRuns',
        icon: IconTimeline,
        to: paths.jobRuns(),
        root: '/job-runs',
        shortcut: 'g u',
      },
      { name: 'runs', command: 'goRuns', icon: IconRun, to: paths.runs(), root: '/runs', shortcut: 'g r' },
      {
        name: 'triggers',
        command: 'goTriggers',
        icon: IconCalendarClock,
        to: paths.triggers(),
        root: '/triggers',
        shortcut: 'g f',
      },
    ],
  },
  {
    name: 'data',
    items: [
      {
        name: 'explorer',
        command: 'goExplorer',
        icon: IconTableSpark,
        to: paths.explorer(),
        root: '/explorer',
        shortcut: 'g x',
        needs: 'queryConnector',
      },
      {
        name: 'connectors',
        command: 'goConnectors',
        icon: IconPlugConnected,
        to: paths.connectors(),
        root: '/connectors',
        shortcut: 'g c',
      },
      {
        name: 'dashboards',
        command: 'goDashboards',
        icon: IconLayoutDashboard,
        to: paths.dashboards(),
        root: '/dashboards',
        shortcut: 'g b',
      },
      {
        name: 'dashboardTemplates',
        command: 'goDashboardTemplates',
        icon: IconLayoutGrid,
        to: paths.dashboardTemplates(),
        root: '/dashboard-templates',
        shortcut: 'g o',
      },
      {
        name: 'lineage',
        command: 'goLineage',
        icon: IconVectorSpline,
        to: paths.lineage(),
        root: '/lineage',
        shortcut: 'g l',
      },
    ],
  },
  {
    name: 'monitoring',
    items: [
      {
        name: 'metrics',
        command: 'goMetrics',
        icon: IconChartHistogram,
        to: paths.metrics(),
        root: '/metrics',
        shortcut: 'g m',
        needs: 'queryMetrics',
      },
      {
        name: 'executors',
        command: 'goExecutors',
        icon: IconServer2,
        to: paths.executors(),
        root: '/executors',
        shortcut: 'g e',
      },
      {
        name: 'audit',
        command: 'goAudit',
        icon: IconHistory,
        to: paths.audit(),
        root: '/audit',
        shortcut: 'g a',
        needs: 'listAudit',
      },
    ],
  },
  {
    name: 'administration',
    items: [
      {
        name: 'users',
        command: 'goUsers',
        icon: IconUsers,
        to: paths.users(),
        root: '/users',
        shortcut: 'g k',
        needs: 'listUsers',
      },
      {
        name: 'exchange',
        command: 'goExchange',
        icon: IconArrowsExchange,
        to: paths.importBundle(),
        root: '/exchange',
        shortcut: 'g i',
        needs: 'importBundle',
      },
      {
        name: 'settings',
        command: 'goSettings',
        icon: IconSettings,
        to: paths.settings(),
        root: '/settings',
        shortcut: 'g s',
      },
    ],
  },
]

/** Palette and shortcuts are made from these. */
export const navItems = navGroups.flatMap(({ items }) => items)

export const isWithin = (item: NavItem, pathname: string) =>
  item.root === '/' ? pathname === '/' : pathname === item.root || pathname.startsWith(`${item.root}/`)
