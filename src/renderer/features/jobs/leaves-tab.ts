import type { Leaves } from '../../ui/FormShell.tsx'

const inQuery = ['tab', 'task'] as const

/** A tab of a job, and the task chosen in it, are places of their own: what was typed there is asked about first. */
export const leavesTab: Leaves = (from, to) => {
  if (from.pathname !== to.pathname) return true
  const [before, after] = [new URLSearchParams(from.search), new URLSearchParams(to.search)]
  return inQuery.some((name) => before.get(name) !== after.get(name))
}
