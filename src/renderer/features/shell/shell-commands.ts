import {
  IconApi,
  IconBook,
  IconBriefcase,
  IconFilePlus,
  IconKeyboard,
  IconLayoutGridAdd,
  IconLayoutSidebar,
  IconLock,
  IconLogout,
  IconMoon,
  IconPackageExport,
  IconPlugConnected,
  IconSearch,
  IconSitemapPlus,
  IconSun,
  IconSunMoon,
  IconUserCircle,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '../../api/session.ts'
import { openPalette, paletteIsOpen } from '../../commands/palette.store.ts'
import { type Command, useCommands } from '../../commands/commands.ts'
import { paths } from '../../paths.ts'
import { sectionGroups } from '../settings/settings-sections.ts'
import { walkList } from './list-moves.ts'
import { navItems } from './nav-items.ts'
import { useTheme } from './theme-choice.ts'

export interface ShellActions {
  showShortcuts: () => void
  toggleNavigation: () => void
}

/** The commands that work everywhere. */
export function useShellCommands({ showShortcuts, toggleNavigation }: ShellActions): void {
  const { t } = useTranslation('shell')
  const { t: setting } = useTranslation('settings')
  const navigate = useNavigate()
  const { can, signOut, lock } = useSession()
  const chooseTheme = useTheme()
  const go = (to: string) => () => void navigate(to)

  const going = navItems.map((item): Command => ({
    id: `go-${item.name}`,
    title: t(`commands.${item.command}`),
    short: t(`nav.${item.name}`),
    group: 'go',
    icon: item.icon,
    shortcut: item.shortcut,
    when: !item.needs || can(item.needs),
    run: go(item.to),
  }))
  const sections = sectionGroups
    .flatMap(({ entries }) => entries)
    .map(({ section, word, icon, needs }): Command => ({
      id: `go-settings-${section}`,
      title: t('commands.goSection', { section: setting(`tabs.${word}`) }),
      group: 'go',
      icon,
      keywords: setting(`contents.${word}`),
      when: !needs || can(needs),
      run: go(paths.settings(section)),
    }))
  const theme = (id: string, title: string, icon: Command['icon'], scheme: 'light' | 'dark' | 'auto'): Command => ({
    id,
    title,
    icon,
    group: 'view',
    keywords: 'theme colour color mode',
    run: () => chooseTheme(scheme),
  })
  useCommands([
    ...going,
    {
      id: 'go-export',
      title: t('commands.goExport'),
      group: 'go',
      icon: IconPackageExport,
      when: can('exportBundle'),
      run: go(paths.exportBundle()),
    },
    ...sections,
    {
      id: 'new-task',
      title: t('commands.newTask'),
      group: 'create',
      icon: IconFilePlus,
      shortcut: 'n t',
      when: can('createTask'),
      run: go(paths.taskNew()),
    },
    {
      id: 'new-job-template',
      title: t('commands.newJobTemplate'),
      group: 'create',
      icon: IconSitemapPlus,
      shortcut: 'n p',
      when: can('createJobTemplate'),
      run: go(paths.jobTemplateNew()),
    },
    {
      id: 'new-dashboard-template',
      title: t('commands.newDashboardTemplate'),
      group: 'create',
      icon: IconLayoutGridAdd,
      shortcut: 'n o',
      when: can('createDashboardTemplate'),
      run: go(paths.dashboardTemplateNew()),
    },
    {
      id: 'new-job',
      title: t('commands.newJob'),
      group: 'create',
      icon: IconBriefcase,
      shortcut: 'n j',
      when: can('createJob'),
      run: go(paths.jobs({ new: 'yes' })),
    },
    {
      id: 'new-connector',
      title: t('commands.newConnector'),
      group: 'create',
      icon: IconPlugConnected,
      shortcut: 'n c',
      when: can('createConnector'),
      run: go(paths.connectorNew()),
    },
    theme('theme-light', t('commands.themeLight'), IconSun, 'light'),
    theme('theme-dark', t('commands.themeDark'), IconMoon, 'dark'),
    theme('theme-system', t('commands.themeSystem'), IconSunMoon, 'auto'),
    {
      id: 'toggle-navigation',
      title: t('commands.toggleNav'),
      group: 'view',
      icon: IconLayoutSidebar,
      shortcut: 'mod+b',
      run: toggleNavigation,
    },
    ...(['down', 'up'] as const).map((way): Command => ({
      id: `list-${way}`,
      title: t(`commands.list.${way}`),
      group: 'general',
      menu: null,
      hidden: true,
      shortcut: way === 'down' ? 'j' : 'k',
      run: () => walkList(way),
    })),
    {
      id: 'show-commands',
      title: t('commands.palette'),
      group: 'general',
      shortcut: 'mod+k',
      menu: 'view',
      hidden: true,
      run: () => openPalette('commands'),
    },
    {
      id: 'open-anything',
      title: t('commands.open'),
      group: 'general',
      icon: IconSearch,
      shortcut: 'mod+p',
      menu: 'go',
      // Chosen in the palette, which then closes: it opens again in the other mode once it has.
      run: () => (paletteIsOpen() ? void setTimeout(() => openPalette('records'), 0) : openPalette('records')),
    },
    {
      id: 'show-shortcuts',
      title: t('commands.shortcuts'),
      group: 'general',
      icon: IconKeyboard,
      shortcut: '?',
      run: showShortcuts,
    },
    {
      id: 'go-docs',
      title: t('commands.goDocs'),
      short: t('user.docs'),
      group: 'go',
      menu: 'help',
      icon: IconBook,
      keywords: 'help manual tutorial reference',
      shortcut: 'g d',
      run: go(paths.docs()),
    },
    {
      id: 'api-reference',
      title: t('commands.apiReference'),
      group: 'general',
      icon: IconApi,
      keywords: 'openapi rest docs',
      run: () => void globalThis.open('/api/docs', '_blank', 'noreferrer'),
    },
    {
      id: 'go-profile',
      title: t('commands.goProfile'),
      short: t('user.profile'),
      group: 'go',
      icon: IconUserCircle,
      shortcut: 'g y',
      keywords: 'account password sessions second factor totp',
      run: go(paths.profile()),
    },
    {
      id: 'lock',
      title: t('commands.lock'),
      group: 'general',
      icon: IconLock,
      shortcut: 'mod+shift+l',
      menu: 'file',
      when: lock !== null,
      run: () => void lock?.(),
    },
    {
      id: 'sign-out',
      title: t('commands.signOut'),
      needsServer: true,
      group: 'general',
      icon: IconLogout,
      menu: 'file',
      run: () => void signOut(),
    },
  ])
}
