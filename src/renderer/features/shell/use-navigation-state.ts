import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useCallback, useState } from 'react'
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
  const page = isNarrow ? pathname : null
  const toggle = useCallback(() => {
    if (page === null) keep((before) => !before)
    else setOpenAt((before) => (before === page ? null : page))
  }, [page, keep])
  if (page === null) return { collapsed: kept, over: false, toggle }
  return { collapsed: openAt !== page, over: openAt === page, toggle }
}
