/** The start of the hour `hours` ago: a moment that stays the same for an hour, and so does the query made with it. */
export function hoursAgo(hours: number, now: Date): string {
  const hour = 3_600_000
  return new Date(Math.floor(now.getTime() / hour) * hour - hours * hour).toISOString()
}
