import { typedMap } from '../../shape/typed.ts'
import type { TypedForm } from '../../shape/typed.ts'
import { msg } from '../../messages.ts'
import type { Widget } from '../dashboard.types.ts'
import { fieldMapping, form } from './asked.ts'
import { log, runButton, runList, runStatus } from './runs.ts'
import { chart, filterWidget, kpi, table, textWidget } from './shown.ts'

/** Every type of widget, in the order of the documentation. */
export const widgetForms: readonly TypedForm<Widget>[] = [
  kpi,
  chart,
  table,
  textWidget,
  filterWidget,
  form,
  fieldMapping,
  runStatus,
  runList,
  runButton,
  log,
]

export const widgetShape = typedMap<Widget>(msg('a_widget'), 'A widget.', widgetForms)
