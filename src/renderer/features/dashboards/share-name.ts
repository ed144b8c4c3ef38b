import type { DashboardShare } from '../../../contract/dashboards.ts'

/** Whom it is for, else how its token begins. */
export const shareName = ({ name, prefix }: Pick<DashboardShare, 'name' | 'prefix'>): string => name ?? `${prefix}…`
