import type { ScopeDescription } from '../expressions/references.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/** Values of `filters` and `window` in the `params` of queries. */
export interface DashboardScope {
  filters: Record<string, unknown>
  /** `last_ms`: it ends now. */
  window?: { from: string; to: string; last_ms?: number }
}

const windowFields = { from: 'Start of the time window: ISO 8601, UTC.', to: 'Its end, excluded: ISO 8601, UTC.' }

/** What `params` may refer to. */
export const dashboardScope = (filters: Iterable<string>, hasWindow: boolean): ScopeDescription => ({
  filters: {
    description: 'What viewers have chosen.',
    fields: Object.fromEntries(
      [...filters].map((name) => [
        name,
        'Its value: text; of `range` `from` and `to`, of `multiselect` a list; null: none.',
      ]),
    ),
  },
  ...(hasWindow ? { window: { description: 'The time window.', fields: windowFields } } : {}),
})

/** Names that other documents know, and what to say here. */
export const elsewhereInDashboard: Readonly<Record<string, Message>> = {
  args: msg('filters_instead'),
  parameters: msg('filters_instead'),
  run: msg('filters_instead'),
  state: msg('state_only_in_tasks'),
  window: msg('add_time_window'),
}
