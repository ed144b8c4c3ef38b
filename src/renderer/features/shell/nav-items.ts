import {
  IconFileCode,
  IconHome2,
  IconPlugConnected,
  IconRun,
  IconServer2,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react'
import { paths } from '../../paths.ts'

export interface NavItem {
  name: 'home' | 'tasks' | 'runs' | 'connectors' | 'executors' | 'settings'
  command: 'goHome' | 'goTasks' | 'goRuns' | 'goConnectors' | 'goExecutors' | 'goSettings'
  icon: TablerIcon
  to: string
  /** Everything below this path belongs to the item. */
  root: string
  shortcut: string
}

/** The main navigation, in order; palette and shortcuts are made from it, too. */
export const navItems: readonly NavItem[] = [
  { name: 'home', command: 'goHome', icon: IconHome2, to: paths.home(), root: '/', shortcut: 'g h' },
  { name: 'tasks', command: 'goTasks', icon: IconFileCode, to: paths.tasks(), root: '/tasks', shortcut: 'g t' },
  { name: 'runs', command: 'goRuns', icon: IconRun, to: paths.runs(), root: '/runs', shortcut: 'g r' },
  {
    name: 'connectors',
    command: 'goConnectors',
    icon: IconPlugConnected,
    to: paths.connectors(),
    root: '/connectors',
    shortcut: 'g c',
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
    name: 'settings',
    command: 'goSettings',
    icon: IconSettings,
    to: paths.settings(),
    root: '/settings',
    shortcut: 'g s',
  },
]

export const isWithin = (item: NavItem, pathname: string) =>
  item.root === '/' ? pathname === '/' : pathname === item.root || pathname.startsWith(`${item.root}/`)
