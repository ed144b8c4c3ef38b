/** What is to be exported, and how that is asked for. Pure. */
import type { exportBundle } from '../../../contract/exchange.ts'
import type { QueryOf } from '../../../contract/operation.ts'

export const exportKinds = ['tasks', 'job_templates', 'dashboard_templates'] as const
export type ExportKind = (typeof exportKinds)[number]

export interface KindChoice {
  which: 'all' | 'chosen' | 'none'
  /** Ids, as the table keeps them. */
  selected: ReadonlySet<string>
}
export type ExportChoice = Readonly<Record<ExportKind, KindChoice>>

const idsOf = (text: string | null) => new Set((text ?? '').split(',').filter((id) => /^[1-9]\d{0,14}$/.test(id)))

/** Everything, unless the address names records: then only those. */
export function choiceOf(search: URLSearchParams): ExportChoice {
  const ids = (kind: ExportKind) => idsOf(search.get(kind))
  const named = exportKinds.some((kind) => ids(kind).size > 0)
  const of = (kind: ExportKind): KindChoice => ({
    which: ids(kind).size > 0 ? 'chosen' : named ? 'none' : 'all',
    selected: ids(kind),
  })
  return {
    tasks: of('tasks'),
    job_templates: of('job_templates'),
    dashboard_templates: of('dashboard_templates'),
  }
}

const listOf = ({ which, selected }: KindChoice) =>
  which === 'chosen' ? (selected.size > 0 ? [...selected].join(',') : 'none') : which

export const queryOf = (
  choice: ExportChoice,
  versions: 'current' | 'all',
  archived: boolean,
  { references, presets }: { references: boolean; presets: boolean },
): QueryOf<typeof exportBundle> => ({
  tasks: listOf(choice.tasks),
  job_templates: listOf(choice.job_templates),
  dashboard_templates: listOf(choice.dashboard_templates),
  ai_references: references ? 'all' : 'none',
  explorer_presets: presets ? 'all' : 'none',
  versions,
  archived,
})

/** How many records that will be; undefined while it is not known how many there are. */
export function countOf({ which, selected }: KindChoice, total: number | undefined): number | undefined {
  if (which === 'none') return 0
  return which === 'chosen' ? selected.size : total
}
