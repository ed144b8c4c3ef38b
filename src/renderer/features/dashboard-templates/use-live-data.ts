import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { previewDashboardOptions, previewDashboardWidget } from '../../../contract/dashboard-templates.ts'
import type { DashboardDocument } from '../../../language/dashboard/dashboard.types.ts'
import { FILTER_BAR } from '../../../language/dashboard/limits.ts'
import { call } from '../../api/client.ts'
import { noOptions } from '../dashboards/OptionPicker.tsx'
import type { DashboardSource } from '../dashboards/dashboard-source.ts'

/** A text without errors, and what it says. */
export interface ValidText {
  yaml: string
  document: DashboardDocument
}

/** Milliseconds of stillness before rows are asked for: queries are typed letter by letter. */
const delay = 700

/** What the rows of a widget depend on. Where it stands and what it is called are not among it. */
function dependsOn({ data, filters, time_window, widgets }: DashboardDocument, id: string): unknown {
  // Options of filters come from data, too.
  if (id === FILTER_BAR) return [data, filters, time_window]
  const widget = widgets.find((one) => one.id === id)
  if (!widget) return null
  switch (widget.type) {
    case 'kpi':
      return [data[widget.data], filters, time_window]
    case 'chart':
    case 'table':
      return [data[widget.data], widget.drill === null ? null : data[widget.drill], filters, time_window]
    case 'run_list':
      return [widget.task, widget.last]
    case 'run_status':
    case 'log':
      return [widget.task]
    case 'form':
      return [widget.fields, data, filters, time_window]
    case 'field_mapping':
      return [widget.source, widget.target, data, filters, time_window]
    case 'text':
    case 'filter':
    case 'run_button':
      return null
  }
}

/** Whether the text that is asked about has options there: what was just written is not in it yet. */
function hasOptions({ widgets, filters }: DashboardDocument, id: string, side = ''): boolean {
  if (id === FILTER_BAR) return Object.hasOwn(filters, side)
  const widget = widgets.find((one) => one.id === id)
  if (widget?.type !== 'form') return widget?.type === 'field_mapping'
  return widget.fields.some((field) => field.key === side && (field.options_source !== null || field.widget === 'file'))
}

/** Rows of a text that is not saved, made with the data of a job; null: there is none to make them with. */
export function useLiveData(valid: ValidText | null, jobId: number | null) {
  const [still] = useDebouncedValue(valid, delay)
  return useMemo(() => {
    if (!still || jobId === null) return null
    const { yaml, document } = still
    const source: DashboardSource = {
      key: `preview ${jobId}`,
      canRefresh: true,
      keyOf: (widgetId) => JSON.stringify(dependsOn(document, widgetId)),
      load: (widget_id, body, signal) =>
        call(previewDashboardWidget, { body: { yaml_content: yaml, job_id: jobId, widget_id, ...body }, signal }),
      options: async (widget_id, body, signal) =>
        hasOptions(document, widget_id, body.side)
          ? call(previewDashboardOptions, { body: { yaml_content: yaml, job_id: jobId, widget_id, ...body }, signal })
          : noOptions,
    }
    /** Type of each widget that rows can be asked for. */
    const types = new Map(document.widgets.map(({ id, type }) => [id, type]))
    return { source, types }
  }, [still, jobId])
}
export type LiveData = NonNullable<ReturnType<typeof useLiveData>>
