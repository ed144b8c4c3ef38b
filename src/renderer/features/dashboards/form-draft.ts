/** What was entered in forms and field mappings of a dashboard, kept in this browser until it is sent: a reload loses nothing. */
import { createContext, useCallback, useContext, useState } from 'react'
import type { DashboardState } from '../../../contract/dashboards.ts'
import { browserStore } from '../../ui/document/draft.ts'

export interface Entered {
  forms: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  mappings: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface FormDraft extends Entered {
  setField(form: string, key: string, value: unknown): void
  setMapping(id: string, target: string, source: string | null): void
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

export function useFormDraft(dashboardId: number, state: string): FormDraft {
  const [entered, setEntered] = useState<Entered>(() => {
    const saved = stateOf(state)
    const kept = recall(dashboardId)
    return { forms: { ...saved.forms, ...kept.forms }, mappings: { ...saved.mappings, ...kept.mappings } }
  })
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
  return { ...entered, setField, setMapping }
}

const FormDraftContext = createContext<FormDraft | null>(null)
export const FormDraftProvider = FormDraftContext.Provider
export function useEntered(): FormDraft {
  const draft = useContext(FormDraftContext)
  if (!draft) throw new Error('A form stands outside a dashboard')
  return draft
}
