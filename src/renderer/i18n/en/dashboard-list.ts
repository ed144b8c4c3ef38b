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
  emptyText: 'A dashboard template adds a dashboard to each job that is created from its job template.',
  filteredTitle: 'No dashboards match',
}
