import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useLocation } from 'react-router'

/** Below this the pages need the room: the navigation keeps to its icons, and opens above the page. */
const narrow = '(max-width: 900px)'

export interface NavigationState {
  collapsed: boolean
  /** Open, above the page and not beside it. */
  over: boolean
  toggle: () => void
}

/** Whether the navigation shows words; remembered where there is room for them. */
export function useNavigationState(): NavigationState {
  const [kept, keep] = useLocalStorage({
    key: 'headgate.nav-collapsed',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const isNarrow = useMediaQuery(narrow, false, { getInitialValueInEffect: false })
  const { pathname } = useLocation()
  // Open for the page where it was opened: whoever went to another has no more use for it.
  const [openAt, setOpenAt] = useState<string | null>(null)
  const opened = openAt === pathname
  if (isNarrow) return { collapsed: !opened, over: opened, toggle: () => setOpenAt(opened ? null : pathname) }
  return { collapsed: kept, over: false, toggle: () => keep((before) => !before) }
}
