import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useEffect, useState } from 'react'
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
  const [opened, setOpened] = useState(false)
  const { pathname } = useLocation()
  useEffect(() => setOpened(false), [pathname, isNarrow])
  if (isNarrow) return { collapsed: !opened, over: opened, toggle: () => setOpened((before) => !before) }
  return { collapsed: kept, over: false, toggle: () => keep((before) => !before) }
}
