/** Words of the list, which public pages do without. */
export const dashboardList = {
  label: 'Dashboards',
  name: 'Name',
  job: 'Job',
  version: 'Version',
  widgets: 'Widgets',
  created: 'Created',
  shares: 'Public links',
  search: 'Search dashboards',
  total_one: '{{formatted}} dashboard',
  total_other: '{{formatted}} dashboards',
  emptyTitle: 'No dashboards yet',
  emptyText: 'Jobs are created with the dashboards of their job template.',
  filteredTitle: 'No dashboards match',
}
