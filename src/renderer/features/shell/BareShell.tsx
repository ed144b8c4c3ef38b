import { Outlet } from 'react-router'
import { useShortcuts } from '../../commands/shortcuts.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import classes from './Shell.module.css'
import { useLiveData } from './live-data.ts'

/** What surrounds a page that has the whole screen: connection state, shortcuts, events, and no navigation. */
export function BareShell() {
  useLiveData()
  useShortcuts()
  return (
    <div className={classes.shell}>
      <div className={classes.main}>
        <ConnectionBanner />
        <div className={classes.content}>
          <Outlet />
        </div>
      </div>
    </div>
  )
}
