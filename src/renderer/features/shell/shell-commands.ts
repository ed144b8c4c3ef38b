import {
  IconAdjustments,
  IconApi,
  IconDatabaseExport,
  IconDeviceDesktop,
  IconFilePlus,
  IconKey,
  IconKeyboard,
  IconLayoutSidebar,
  IconLock,
  IconLogout,
  IconMoon,
  IconPackageExport,
  IconPlugConnected,
  IconSearch,
  IconSitemap,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '../../api/session.ts'
import { openPalette } from '../../commands/palette.store.ts'
import { type Command, useCommands } from '../../commands/commands.ts'
import { paths } from '../../paths.ts'
import { navItems } from './nav-items.ts'
import { useTheme } from './theme-choice.ts'

export interface ShellActions {
  showShortcuts: () => void
  toggleNavigation: () => void
}

/** The commands that work everywhere. The desktop's menu calls some of them by id (DesktopCommandName). */
export function useShellCommands({ showShortcuts, toggleNavigation }: ShellActions): void {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { can, signOut, lock } = useSession()
  const chooseTheme = useTheme()
  const go = (to: string) => () => void navigate(to)

  const going = navItems.map((item): Command => ({
    id: `go-${item.name}`,
    title: t(`commands.${item.command}`),
    group: t('groups.go'),
    icon: item.icon,
    shortcut: item.shortcut,
    when: !item.needs || can(item.needs),
    run: go(item.to),
  }))
  const theme = (id: string, title: string, icon: Command['icon'], scheme: 'light' | 'dark' | 'auto'): Command => ({
    id,
    title,
    icon,
    group: t('groups.appearance'),
    keywords: 'theme colour color mode',
    run: () => chooseTheme(scheme),
  })
  useCommands([
    ...going,
    {
      id: 'go-api-keys',
      title: t('commands.goApiKeys'),
      group: t('groups.go'),
      icon: IconKey,
      run: go(paths.settings('api-keys')),
    },
    {
      id: 'go-export',
      title: t('commands.goExport'),
      group: t('groups.go'),
      icon: IconPackageExport,
      when: can('exportBundle'),
      run: go(paths.exportBundle()),
    },
    {
      id: 'go-configuration',
      title: t('commands.goConfiguration'),
      group: t('groups.go'),
      icon: IconAdjustments,
      keywords: 'settings options config.yaml',
      when: can('getServerConfig'),
      run: go(paths.settings('configuration')),
    },
    {
      id: 'go-backups',
      title: t('commands.goBackups'),
      group: t('groups.go'),
      icon: IconDatabaseExport,
      keywords: 'restore',
      when: can('listBackups'),
      run: go(paths.settings('backups')),
    },
    {
      id: 'new-task',
      title: t('commands.newTask'),
      group: t('groups.create'),
      icon: IconFilePlus,
      shortcut: 'n t',
      when: can('createTask'),
      run: go(paths.taskNew()),
    },
    {
      id: 'new-job-template',
      title: t('commands.newJobTemplate'),
      group: t('groups.create'),
      icon: IconSitemap,
      shortcut: 'n p',
      when: can('createJobTemplate'),
      run: go(paths.jobTemplateNew()),
    },
    {
      id: 'new-connector',
      title: t('commands.newConnector'),
      group: t('groups.create'),
      icon: IconPlugConnected,
      shortcut: 'n c',
      when: can('createConnector'),
      run: go(paths.connectorNew()),
    },
    theme('theme-light', t('commands.themeLight'), IconSun, 'light'),
    theme('theme-dark', t('commands.themeDark'), IconMoon, 'dark'),
    theme('theme-system', t('commands.themeSystem'), IconDeviceDesktop, 'auto'),
    {
      id: 'toggle-navigation',
      title: t('commands.toggleNav'),
      group: t('groups.appearance'),
      icon: IconLayoutSidebar,
      shortcut: 'mod+b',
      run: toggleNavigation,
    },
    {
      id: 'show-commands',
      title: t('commands.palette'),
      group: t('groups.general'),
      shortcut: 'mod+k',
      hidden: true,
      run: () => openPalette('commands'),
    },
    {
      id: 'open-anything',
      title: t('commands.open'),
      group: t('groups.general'),
      icon: IconSearch,
      shortcut: 'mod+p',
      // The palette closes after a command; it opens again in the other mode once it has.
      run: () => setTimeout(() => openPalette('records'), 0),
    },
    {
      id: 'show-shortcuts',
      title: t('commands.shortcuts'),
      group: t('groups.general'),
      icon: IconKeyboard,
      shortcut: '?',
      run: showShortcuts,
    },
    {
      id: 'api-reference',
      title: t('commands.apiReference'),
      group: t('groups.general'),
      icon: IconApi,
      keywords: 'openapi rest docs',
      run: () => void globalThis.open('/api/docs', '_blank', 'noreferrer'),
    },
    {
      id: 'go-profile',
      title: t('commands.goProfile'),
      group: t('groups.go'),
      icon: IconUserCircle,
      keywords: 'account password sessions second factor totp',
      run: go(paths.profile()),
    },
    {
      id: 'lock',
      title: t('commands.lock'),
      group: t('groups.general'),
      icon: IconLock,
      shortcut: 'mod+shift+l',
      when: lock !== null,
      run: () => void lock?.(),
    },
    {
      id: 'sign-out',
      title: t('commands.signOut'),
      group: t('groups.general'),
      icon: IconLogout,
      run: () => void signOut(),
    },
  ])
}
