import { useLocalStorage } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { Palette } from '../../commands/Palette.tsx'
import { ShortcutList } from '../../commands/ShortcutList.tsx'
import { useShortcuts } from '../../commands/shortcuts.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { Navigation } from './Navigation.tsx'
import classes from './Shell.module.css'
import { useDesktop } from './desktop.ts'
import { useLiveData } from './live-data.ts'
import { useShellCommands } from './shell-commands.ts'

/** What surrounds every page: navigation, connection state, palette, shortcuts, events. */
export function Shell() {
  const { t } = useTranslation('shell')
  const [collapsed, setCollapsed] = useLocalStorage({
    key: 'headgate.nav-collapsed',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const [shortcutsOpen, setShortcutsOpen] = useState(false)
  useLiveData()
  useShortcuts()
  useDesktop()
  useShellCommands({
    showShortcuts: () => setShortcutsOpen(true),
    toggleNavigation: () => setCollapsed((before) => !before),
  })
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <Navigation
        collapsed={collapsed}
        onToggle={() => setCollapsed((before) => !before)}
        onShortcuts={() => setShortcutsOpen(true)}
      />
      <div className={classes.main}>
        <ConnectionBanner />
        <main id="content" className={classes.content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Palette />
      <ShortcutList opened={shortcutsOpen} onClose={() => setShortcutsOpen(false)} />
    </div>
  )
}
