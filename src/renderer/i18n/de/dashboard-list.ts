import type { dashboardList as english } from '../en/dashboard-list.ts'
import type { Translation } from '../translation.ts'

export const dashboardList: Translation<typeof english> = {
  label: 'Dashboards',
  name: 'Name',
  job: 'Job',
  version: 'Version',
  widgets: 'Widgets',
  created: 'Erstellt',
  shares: 'Öffentliche Links',
  search: 'Dashboards suchen',
  total_one: '{{formatted}} Dashboard',
  total_other: '{{formatted}} Dashboards',
  emptyTitle: 'Noch keine Dashboards',
  emptyText: 'Eine Dashboard-Vorlage gibt jedem Job, der aus ihrer Job-Vorlage erstellt wird, ein Dashboard.',
  filteredTitle: 'Keine passenden Dashboards',
}
