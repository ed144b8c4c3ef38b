import type { DashboardDocument, DashboardFilter, Widget } from './dashboard.types.ts'

export type DashboardViewOf = Pick<DashboardDocument, 'time_window' | 'filters' | 'widgets'>

export const viewOf = ({ time_window, filters, widgets }: DashboardDocument): DashboardViewOf => ({
  time_window,
  filters,
  widgets,
})

/** What a public link shows: widgets that only show, without what says where their rows come from. */
export function publicView({ time_window, filters, widgets }: DashboardDocument): DashboardViewOf {
  const shown = Object.fromEntries(Object.entries(filters).filter(([, filter]) => isPublic(filter)))
  return {
    time_window,
    filters: shown,
    widgets: withoutGaps(
      widgets,
      widgets.flatMap((widget): Widget[] => {
        switch (widget.type) {
          case 'form':
          case 'field_mapping':
          case 'run_button':
          case 'log':
            return []
          case 'filter':
            return Object.hasOwn(shown, widget.filter) ? [widget] : []
          case 'kpi':
            return [{ ...widget, data: '' }]
          case 'chart':
          case 'table': {
            const { cross_filter } = widget
            const kept = cross_filter && Object.hasOwn(shown, cross_filter.filter) ? cross_filter : null
            return [{ ...widget, data: '', drill: null, cross_filter: kept }]
          }
          case 'text':
          case 'run_status':
          case 'run_list':
            return [widget]
        }
      }),
    ),
  }
}

/** Rows of the grid that only widgets stood in which are not shown are closed; those that the author left empty stay. */
function withoutGaps(all: readonly Widget[], shown: readonly Widget[]): Widget[] {
  const rowsOf = (some: readonly Widget[]) =>
    new Set(some.flatMap(({ at: [, y, , height] }) => Array.from({ length: height }, (_, row) => y + row)))
  const used = rowsOf(shown)
  const closed = [...rowsOf(all)].filter((row) => !used.has(row))
  return shown.map((widget): Widget => {
    const [x, y, width, height] = widget.at
    return { ...widget, at: [x, y - closed.filter((row) => row < y).length, width, height] }
  })
}

/** Options that a query gives are for people who are signed in. */
const isPublic = (filter: DashboardFilter): boolean =>
  (filter.type !== 'select' && filter.type !== 'multiselect') || filter.options !== null
