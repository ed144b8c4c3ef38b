/** The normalised form of a dashboard template: what `parseDashboard` gives and everything else works on. */
import type { Json } from '../task/task.types.ts'

export interface DashboardDocument {
  name: string
  description: string | null
  /** Name of the job template whose jobs get this dashboard. */
  job_template: string
  /** null: the dashboard has no time window. */
  time_window: TimeWindow | null
  filters: Record<string, DashboardFilter>
  data: Record<string, DashboardData>
  /** In the order of the text, which is the order of the keyboard, too. */
  widgets: Widget[]
}

export interface TimeWindow {
  default_ms: number
  max_ms: number
}

export interface Option {
  value: string
  label: string
}
/** Options that a query gives, page by page. */
export interface OptionsSource {
  /** Of `data`. */
  data: string
  page_size: number
}

interface FilterBase {
  label: string | null
  description: string | null
}
export interface DateFilter extends FilterBase {
  type: 'date'
  default: string | null
  min: string | null
  max: string | null
}
export interface RangeFilter extends FilterBase {
  type: 'range'
  of: 'date' | 'number'
  default: RangeValue
  min: string | number | null
  max: string | number | null
}
export interface RangeValue {
  from: string | number | null
  to: string | number | null
}
export interface SelectFilter extends FilterBase {
  type: 'select'
  /** Exactly one of the two is there. */
  options: Option[] | null
  options_source: OptionsSource | null
  default: string | null
}
export interface MultiselectFilter extends Omit<SelectFilter, 'type' | 'default'> {
  type: 'multiselect'
  default: string[]
}
export interface TextFilter extends FilterBase {
  type: 'text'
  default: string | null
  max_length: number
}
export type DashboardFilter = DateFilter | RangeFilter | SelectFilter | MultiselectFilter | TextFilter
/** Of a filter: text, a range, several texts, or null for none. */
export type FilterValue = string | string[] | RangeValue | null

interface DataBase {
  description: string | null
  /** How long a result is used before it is made again. */
  ttl_ms: number
}
/** A read-only statement, given to a connector of the job. */
export interface QueryData extends DataBase {
  kind: 'query'
  /** Name in the `connectors` of the job template. */
  connector: string
  query: string
  /** Values of `:name`; texts may hold expressions over `filters` and `window`. */
  params: Record<string, Json>
  max_rows: number
  timeout_ms: number
}
/** A metric of the job, or of one of its tasks, over time. */
export interface MetricData extends DataBase {
  kind: 'metric'
  metric: string
  /** Key of a task of the job; null: all of them. */
  task: string | null
  bucket: MetricBucket
  /** Buckets up to now; null: those of the time window, and 30 without one. */
  last: number | null
  group_by: 'task' | 'status' | null
}
export type MetricBucket = 'hour' | 'day' | 'week' | 'month'
/** Job runs of the job, or the runs of one of its tasks, newest first. */
export interface RunsData extends DataBase {
  kind: 'runs'
  task: string | null
  last: number
}
/** What the last run of a task put out: a value, or rows where it is a list of maps. */
export interface OutputData extends DataBase {
  kind: 'output'
  task: string
  /** null: all of its outputs, as one row. */
  output: string | null
}
export type DashboardData = QueryData | MetricData | RunsData | OutputData

/** Column, row, width, and height on the grid of 12 columns. */
export type Placement = [x: number, y: number, w: number, h: number]

interface WidgetBase {
  id: string
  title: string | null
  description: string | null
  at: Placement
}
interface NumberFormat {
  unit: string | null
  /** null: as many as the value has. */
  decimals: number | null
}
export interface KpiWidget extends WidgetBase, NumberFormat {
  type: 'kpi'
  data: string
  /** Column; null: the first one with numbers. */
  value: string | null
  compare: 'none' | 'previous'
  /** Which direction is good news. */
  good: 'up' | 'down'
  sparkline: boolean
}
export type ChartKind = 'line' | 'area' | 'bar' | 'stacked' | 'pie' | 'scatter' | 'heatmap'
export interface ChartWidget extends WidgetBase, NumberFormat {
  type: 'chart'
  chart: ChartKind
  data: string
  x: string
  y: string[]
  /** Column whose values become separate series. */
  series: string | null
  /** Of a heatmap: the column that gives the color. */
  value: string | null
  legend: boolean
  cross_filter: CrossFilter | null
  drill: string | null
}
/** A click on a mark, or a double click on a row, sets a filter to the value of a column. */
export interface CrossFilter {
  filter: string
  /** null: `x` of a chart, the first column of a table. */
  column: string | null
}
export interface TableWidget extends WidgetBase {
  type: 'table'
  data: string
  /** null: all. */
  columns: string[] | null
  sort: string | null
  order: 'asc' | 'desc'
  page_size: number
  search: boolean
  cross_filter: CrossFilter | null
  drill: string | null
}
export interface TextWidget extends WidgetBase {
  type: 'text'
  /** Markdown. */
  text: string
}
export interface FilterWidget extends WidgetBase {
  type: 'filter'
  filter: string
}
export type FieldKind = 'text' | 'number' | 'date' | 'select' | 'multiselect' | 'switch' | 'file'
export interface FormField {
  key: string
  /** Parameter of the job that the value is for. */
  param: string
  label: string | null
  description: string | null
  widget: FieldKind
  required: boolean
  options: Option[] | null
  options_source: OptionsSource | null
  /** Of `file`: a connector of the job template, whose files are offered. */
  connector: string | null
  /** Until someone enters another value. null: the field starts empty. */
  default: FieldValue
}
/** Of a number field a number, of a switch a flag, of a multiselect a list, else text. */
export type FieldValue = string | number | boolean | string[] | null
export interface FormWidget extends WidgetBase {
  type: 'form'
  fields: FormField[]
}
export interface FieldMappingWidget extends WidgetBase {
  type: 'field_mapping'
  /** Parameter of the job that the mapping is for. */
  param: string
  source: OptionsSource
  target: OptionsSource
  /** Targets that must be mapped. */
  required: string[]
}
export interface RunStatusWidget extends WidgetBase {
  type: 'run_status'
  task: string | null
}
export interface RunListWidget extends WidgetBase {
  type: 'run_list'
  task: string | null
  last: number
}
export interface RunButtonWidget extends WidgetBase {
  type: 'run_button'
  label: string | null
  /** Id of a form. */
  form: string | null
  /** Ids of field mappings; without the key all of the dashboard. */
  mappings: string[]
  /** Asked before the job starts. */
  confirm: string | null
}
export interface LogWidget extends WidgetBase {
  type: 'log'
  task: string | null
  lines: number
}
export type Widget =
  | KpiWidget
  | ChartWidget
  | TableWidget
  | TextWidget
  | FilterWidget
  | FormWidget
  | FieldMappingWidget
  | RunStatusWidget
  | RunListWidget
  | RunButtonWidget
  | LogWidget

/** What the world outside the text says, where it is known: the job templates that there are. */
export interface DashboardCatalogue {
  /** undefined: no such template. */
  template(name: string): DashboardJobTemplate | undefined
  templateNames(): readonly string[]
}
export interface DashboardJobTemplate {
  archived: boolean
  /** Types of its connectors by name. */
  connectors: Readonly<Record<string, { types: readonly string[] }>>
  /** Types of its parameters by name. */
  parameters: Readonly<Record<string, { type: string }>>
  /** Keys of its tasks; gates have no runs. */
  tasks: readonly string[]
}
