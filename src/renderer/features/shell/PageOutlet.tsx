import { Outlet } from 'react-router'

/** Where pages appear; its own route, so that the error page of a broken one replaces it alone. */
export function PageOutlet() {
  return <Outlet />
}
