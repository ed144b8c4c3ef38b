/** What widgets of a dashboard show. */
import { msg } from '../../../contract/messages.ts'
import type { WidgetData, WidgetDataBody } from '../../../contract/dashboard-views.ts'
import type { Widget } from '../../../language/dashboard/dashboard.types.ts'
import type { DashboardScope } from '../../../language/dashboard/dashboard-scope.ts'
import { resolveFilters, resolveWindow } from '../../../language/dashboard/filter-values.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid, invalidState, notFound } from '../../platform/refusal.ts'
import { problemsIn } from '../../platform/versioned-text.ts'
import type { CachedRows } from './data-cache.ts'
import type { RowsOfJob } from './dashboards.service.ts'
import type { Asking, WidgetSources } from './widget-sources.ts'

type Choice = Pick<WidgetDataBody, 'filters' | 'time_window'>

/** What a request asks for, checked; VALIDATION_ERROR names each mistake. */
export function scopeOf({ document }: RowsOfJob, { filters = {}, time_window }: Choice, now: number): DashboardScope {
  const { values, problems } = resolveFilters(document.filters, filters)
  const window = resolveWindow(document, time_window, now)
  const details = problemsIn(problems, 'body.filters')
  if ('problem' in window) details.push(...problemsIn([{ path: 'time_window', ...window.problem }], 'body'))
  if (details.length > 0 || 'problem' in window) invalid(details)
  return { filters: values, ...(window.window && { window: window.window }) }
}

export function createWidgetsService({ clock }: Pick<Platform, 'clock'>, { sources }: { sources: WidgetSources }) {
  const iso = (at: number) => new Date(at).toISOString()

  function rowsOf(open: RowsOfJob, widget: Widget, drill: boolean, asking: Asking): Promise<CachedRows> | CachedRows {
    switch (widget.type) {
      case 'chart':
      case 'table':
        if (drill && widget.drill === null) invalid([{ path: 'body.drill', ...msg('widget_no_drill') }])
        return sources.rows(open, drill ? (widget.drill ?? '') : widget.data, asking)
      case 'kpi':
        return sources.rows(open, widget.data, asking)
      case 'run_status':
        return sources.runsOf(open, widget.id, { task: widget.task, last: 1 }, asking)
      case 'run_list':
        return sources.runsOf(open, widget.id, widget, asking)
      case 'log':
        return sources.logOf(open, widget.id, widget.task, asking)
      case 'text':
      case 'filter':
      case 'form':
      case 'field_mapping':
      case 'run_button':
        return invalidState(msg('widget_has_no_data', { type: widget.type }))
    }
  }

  return {
    need: ({ document }: RowsOfJob, widgetId: string): Widget =>
      document.widgets.find(({ id }) => id === widgetId) ?? notFound(),

    async data(
      open: RowsOfJob,
      widget: Widget,
      { refresh, drill = false, drill_by, ...choice }: WidgetDataBody,
      link?: Pick<Asking, 'mayMake'> & { onRows(rows: CachedRows): void },
    ): Promise<WidgetData> {
      const scope = scopeOf(open, choice, clock.now().getTime())
      const asking: Asking = {
        scope,
        refresh,
        by: drill ? drill_by : undefined,
        ...(link && { mayMake: link.mayMake, user: 'links' as const }),
      }
      const made = await rowsOf(open, widget, drill, asking)
      link?.onRows(made)
      const { fields, rows, truncated, run, as_of, fresh_until } = made
      const { window } = scope
      return {
        widget_id: widget.id,
        fields,
        rows,
        truncated,
        as_of: iso(as_of),
        fresh_until: iso(fresh_until),
        window: window ? { from: window.from, to: window.to } : null,
        run,
      }
    },
  }
}
export type WidgetsService = ReturnType<typeof createWidgetsService>
