import { Suspense, memo, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { useShortcuts } from '../../commands/shortcuts.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { restOfWords } from '../../i18n/i18n.ts'
import { SchedulerBanner } from '../scheduler/SchedulerBanner.tsx'
import { useSchedulerCommands } from '../scheduler/use-scheduler.ts'
import { useFileDrop } from '../incoming/use-file-drop.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { Navigation } from './Navigation.tsx'
import { SecretsBanner } from './SecretsBanner.tsx'
import { StoreBanner } from './StoreBanner.tsx'
import classes from './Shell.module.css'
import { useDesktop } from './desktop.ts'
import { useLanguageCommands } from './language-commands.ts'
import { useLiveData } from './live-data.ts'
import { useNavigationState } from './use-navigation-state.ts'
import { useShellCommands } from './shell-commands.ts'

// Not needed for the first paint: fetched right after it.
const Palette = lazyPart(async () => (await import('../../commands/Palette.tsx')).Palette)
const ShortcutList = lazyPart(async () => (await import('../../commands/ShortcutList.tsx')).ShortcutList)
const Incoming = lazyPart(async () => {
  await restOfWords()
  return (await import('../incoming/Incoming.tsx')).Incoming
})

interface EverywhereProps {
  shortcutsOpen: boolean
  onShortcuts: (open: boolean) => void
  onToggleNavigation: () => void
}

/** What works on every page and belongs to none: it is not drawn anew with each. */
const Everywhere = memo(function Everywhere({ shortcutsOpen, onShortcuts, onToggleNavigation }: EverywhereProps) {
  useLiveData()
  useShortcuts()
  useDesktop()
  useFileDrop()
  useSchedulerCommands()
  useLanguageCommands()
  useShellCommands({ showShortcuts: () => onShortcuts(true), toggleNavigation: onToggleNavigation })
  return (
    <Suspense fallback={null}>
      <Palette />
      <ShortcutList opened={shortcutsOpen} onClose={() => onShortcuts(false)} />
      <Incoming />
    </Suspense>
  )
})

/** What surrounds every page: navigation, connection state, palette, shortcuts, events. */
export function Shell() {
  const { t } = useTranslation('shell')
  const navigation = useNavigationState()
  const [shortcutsOpen, setShortcutsOpen] = useState(false)
  const showShortcuts = useCallback(() => setShortcutsOpen(true), [])
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <Navigation
        collapsed={navigation.collapsed}
        over={navigation.over}
        onToggle={navigation.toggle}
        onShortcuts={showShortcuts}
      />
      <div className={classes.main}>
        <ConnectionBanner />
        <StoreBanner />
        <SecretsBanner />
        <SchedulerBanner />
        <main id="content" className={classes.content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Everywhere shortcutsOpen={shortcutsOpen} onShortcuts={setShortcutsOpen} onToggleNavigation={navigation.toggle} />
    </div>
  )
}
