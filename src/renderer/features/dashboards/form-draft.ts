/** What was entered in forms and field mappings of a dashboard, kept in this browser until it is sent: a reload loses nothing. */
import { createContext, useCallback, useContext, useMemo, useState } from 'react'
import type { DashboardDetail, DashboardState } from '../../../contract/dashboards.ts'
import type { Widget } from '../../../language/dashboard/dashboard.types.ts'
import { browserStore } from '../../ui/document/draft.ts'

export interface Entered {
  forms: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  mappings: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** `widget/side` → value → label: what was chosen keeps its label, whatever the options are now. */
  labels: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface FormDraft extends Entered {
  setField(form: string, key: string, value: unknown): void
  setMapping(id: string, target: string, source: string | null): void
  setLabels(side: string, labels: Readonly<Record<string, string>>): void
}

const keyOf = (dashboardId: number) => `headgate.dashboard.${dashboardId}.entered`

function recall(dashboardId: number): Partial<Entered> {
  const kept = browserStore()?.getItem(keyOf(dashboardId))
  try {
    const value: unknown = kept ? JSON.parse(kept) : {}
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

const stateOf = (state: string): DashboardState => JSON.parse(state) as DashboardState // by the contract

/** Without what an earlier version of the dashboard asked for. */
function known({ forms, mappings, labels }: Entered, widgets: readonly Widget[]): Entered {
  const kept: Record<string, Readonly<Record<string, unknown>>> = {}
  for (const widget of widgets) {
    if (widget.type !== 'form' || !Object.hasOwn(forms, widget.id)) continue
    const keys = new Set(widget.fields.map(({ key }) => key))
    kept[widget.id] = Object.fromEntries(Object.entries(forms[widget.id] ?? {}).filter(([key]) => keys.has(key)))
  }
  const ids = new Set(widgets.flatMap((widget) => (widget.type === 'field_mapping' ? widget.id : [])))
  return { forms: kept, mappings: Object.fromEntries(Object.entries(mappings).filter(([id]) => ids.has(id))), labels }
}

export function useFormDraft({ id: dashboardId, state, view }: DashboardDetail): FormDraft {
  const [all, setEntered] = useState<Entered>(() => {
    const saved = stateOf(state)
    const kept = recall(dashboardId)
    return {
      forms: { ...saved.forms, ...kept.forms },
      mappings: { ...saved.mappings, ...kept.mappings },
      labels: { ...saved.labels, ...kept.labels },
    }
  })
  const entered = useMemo(() => known(all, view.widgets), [all, view.widgets])
  const change = useCallback(
    (make: (now: Entered) => Entered) =>
      setEntered((now) => {
        const next = make(now)
        try {
          browserStore()?.setItem(keyOf(dashboardId), JSON.stringify(next))
        } catch {
          // No room: it stays as long as the page.
        }
        return next
      }),
    [dashboardId],
  )
  const setField = useCallback(
    (form: string, key: string, value: unknown) =>
      change((now) => ({ ...now, forms: { ...now.forms, [form]: { ...now.forms[form], [key]: value } } })),
    [change],
  )
  const setMapping = useCallback(
    (id: string, target: string, source: string | null) =>
      change((now) => {
        const { [target]: _, ...rest } = now.mappings[id] ?? {}
        return { ...now, mappings: { ...now.mappings, [id]: source === null ? rest : { ...rest, [target]: source } } }
      }),
    [change],
  )
  const setLabels = useCallback(
    (side: string, labels: Readonly<Record<string, string>>) =>
      change((now) => ({ ...now, labels: { ...now.labels, [side]: { ...now.labels[side], ...labels } } })),
    [change],
  )
  return { ...entered, setField, setMapping, setLabels }
}

const FormDraftContext = createContext<FormDraft | null>(null)
export const FormDraftProvider = FormDraftContext.Provider
export function useEntered(): FormDraft {
  const draft = useContext(FormDraftContext)
  if (!draft) throw new Error('A form stands outside a dashboard')
  return draft
}
