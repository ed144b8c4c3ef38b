export const GRID_COLUMNS = 12
/** Rows of the grid. */
export const MAX_GRID_ROWS = 1_000
export const MAX_WIDGET_HEIGHT = 100
export const MAX_WIDGETS = 100
export const MAX_FILTERS = 30
export const MAX_DATA = 100
export const MAX_FIELDS = 50
export const MAX_OPTIONS = 500
/** Rows of a result, whatever `max_rows` says. */
export const MAX_DATA_ROWS = 10_000
/** Values of one multiselect. */
export const MAX_CHOSEN = 1_000
/** Stands for the bar that shows the filters, where the id of a widget is asked for; no id has a `$`. */
export const FILTER_BAR = '$filters'
