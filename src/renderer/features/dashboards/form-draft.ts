/** What was entered in forms and field mappings of a dashboard, kept in this browser until it is sent: a reload loses nothing. */
import { createContext, useCallback, useContext, useMemo, useState } from 'react'
import type { DashboardDetail, DashboardState } from '../../../contract/dashboards.ts'
import type { FormWidget, Widget } from '../../../language/dashboard/dashboard.types.ts'
import { startValues } from '../../../language/dashboard/form-values.ts'
import { browserStore } from '../../ui/document/draft.ts'

export interface Entered {
  forms: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  mappings: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** `widget/side` → value → label: what was chosen keeps its label, whatever the options are now. */
  labels: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface FormDraft extends Entered {
  setField(form: string, key: string, value: unknown): void
  /** Back to the defaults. */
  reset(form: FormWidget): void
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

/** With the defaults of what nobody entered, and without what an earlier version of the dashboard asked for. */
export function filledIn({ forms, mappings, labels }: Entered, widgets: readonly Widget[]): Entered {
  const kept: Record<string, Readonly<Record<string, unknown>>> = {}
  for (const widget of widgets) {
    if (widget.type !== 'form') continue
    const entered = Object.hasOwn(forms, widget.id) ? forms[widget.id] : undefined
    const keys = new Set(widget.fields.map(({ key }) => key))
    const values = Object.fromEntries(Object.entries(entered ?? {}).filter(([key]) => keys.has(key)))
    kept[widget.id] = { ...startValues(widget.fields), ...values }
  }
  const ids = new Set(widgets.flatMap((widget) => (widget.type === 'field_mapping' ? widget.id : [])))
  return { forms: kept, mappings: Object.fromEntries(Object.entries(mappings).filter(([id]) => ids.has(id))), labels }
}

function useDraft(widgets: readonly Widget[], start: () => Entered, keep: (entered: Entered) => void): FormDraft {
  const [all, setEntered] = useState<Entered>(start)
  const entered = useMemo(() => filledIn(all, widgets), [all, widgets])
  const change = useCallback(
    (make: (now: Entered) => Entered) =>
      setEntered((now) => {
        const next = make(now)
        keep(next)
        return next
      }),
    [keep],
  )
  const setField = useCallback(
    (form: string, key: string, value: unknown) =>
      change((now) => ({ ...now, forms: { ...now.forms, [form]: { ...now.forms[form], [key]: value } } })),
    [change],
  )
  const reset = useCallback(
    ({ id, fields }: FormWidget) => {
      // Said as empty: the server would take what was saved for a field of which nothing is said.
      const empty = Object.fromEntries(fields.flatMap(({ key, default: at }) => (at === null ? [[key, null]] : [])))
      change((now) => ({ ...now, forms: { ...now.forms, [id]: empty } }))
    },
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
  return { ...entered, setField, reset, setMapping, setLabels }
}

export function useFormDraft({ id: dashboardId, state, view }: DashboardDetail): FormDraft {
  const keep = useCallback(
    (entered: Entered) => {
      try {
        browserStore()?.setItem(keyOf(dashboardId), JSON.stringify(entered))
      } catch {
        // No room: it stays as long as the page.
      }
    },
    [dashboardId],
  )
  const start = (): Entered => {
    const saved = stateOf(state)
    const kept = recall(dashboardId)
    return {
      forms: { ...saved.forms, ...kept.forms },
      mappings: { ...saved.mappings, ...kept.mappings },
      labels: { ...saved.labels, ...kept.labels },
    }
  }
  return useDraft(view.widgets, start, keep)
}

const nothing = (): Entered => ({ forms: {}, mappings: {}, labels: {} })
const forgotten = () => undefined
/** Of a text that is not saved: kept as long as the page. */
export const usePassingDraft = (widgets: readonly Widget[]): FormDraft => useDraft(widgets, nothing, forgotten)

const FormDraftContext = createContext<FormDraft | null>(null)
export const FormDraftProvider = FormDraftContext.Provider
export function useEntered(): FormDraft {
  const draft = useContext(FormDraftContext)
  if (!draft) throw new Error('A form stands outside a dashboard')
  return draft
}
