/** Home, the triggers and their calendar, and what starts one job. */
export function concernsSchedules(pathname: string, search: string): boolean {
  if (pathname === '/' || pathname === '/triggers') return true
  return /^\/jobs\/\d+$/.test(pathname) && new URLSearchParams(search).get('tab') === 'triggers'
}
