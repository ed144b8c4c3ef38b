/** The table with its styles. */
import './input-styles.ts'

export { TableWidgetView as PublicTable } from '../dashboards/TableWidgetView.tsx'
