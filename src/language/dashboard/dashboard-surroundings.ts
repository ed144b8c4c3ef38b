import type { DashboardJobTemplate } from './dashboard.types.ts'

/** What the parts of a dashboard template know of the whole, while they are read. */
export interface DashboardSurroundings {
  filters: ReadonlySet<string>
  data: ReadonlySet<string>
  /** Ids of the widgets, by type. */
  widgets: ReadonlyMap<string, ReadonlySet<string>>
  /** Data that options come from → names that its query may bind besides `params`. */
  optionBinds: ReadonlyMap<string, ReadonlySet<string>>
  /** null: not known, so what it has is not checked. */
  template: DashboardJobTemplate | null
  /** For the warnings about what is not used. */
  used: { filters: Set<string>; data: Set<string> }
}
