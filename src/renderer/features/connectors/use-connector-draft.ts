import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type Connector, createConnector, getConnector, updateConnector } from '../../../contract/connectors.ts'
import { ApiFailure, call, ifMatch } from '../../api/client.ts'
import { following } from '../../api/followed-draft.rules.ts'
import { useFollowedDraft } from '../../api/followed-draft.ts'
import { queryKey } from '../../api/queries.ts'
import type { ReadUrl } from './connection-url.ts'
import {
  type ConnectorDraft,
  type ConnectorForm,
  type DraftProblems,
  changedFields,
  draftOf,
  filledFrom,
  isDirty,
  problemsOf,
  saveBody,
} from './connector-draft.ts'

/** Somebody else saved between our reading and our saving. */
interface Conflict {
  /** Fields that they changed. */
  changed: string[]
}

export interface DraftState {
  draft: ConnectorDraft
  dirty: boolean
  busy: boolean
  problems: DraftProblems
  failure: ApiFailure | null
  conflict: Conflict | null
  change: (changes: Partial<ConnectorDraft>) => void
  /** Marks what is missing; true when nothing is. */
  check: (purpose: 'save' | 'test') => boolean
  /** The saved record; undefined when it was refused, which the state then tells. */
  save: () => Promise<Connector | undefined>
  /** Settles a conflict: ours over theirs, or theirs instead of ours. */
  overwrite: () => Promise<Connector | undefined>
  takeTheirs: () => void
}

/** The form's state: what was read, what is typed, and how the two are brought together. */
export function useConnectorDraft(form: ConnectorForm, connector?: Connector, pasted?: ReadUrl | null): DraftState {
  const client = useQueryClient()
  const rules = useMemo(
    () =>
      following<Connector | undefined, ConnectorDraft>({
        draftOf: (record) => {
          const draft = draftOf(form, record)
          return record === undefined && pasted ? filledFrom(draft, pasted) : draft
        },
        same: (a, b) => !isDirty(a, b),
      }),
    [form, pasted],
  )
  const { base, draft, dirty, theirs, write, adopt, overtaken } = useFollowedDraft(connector, rules)
  const [problems, setProblems] = useState<DraftProblems>({})
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const [busy, setBusy] = useState(false)

  const check = (purpose: 'save' | 'test') => {
    const found = problemsOf(form, draft, purpose)
    setProblems(found)
    return Object.keys(found).length === 0
  }
  const send = async (over: Connector | undefined) => {
    const body = saveBody(form, draft)
    if (!connector) return call(createConnector, { body })
    return call(updateConnector, { params: { id: connector.id }, body, headers: ifMatch(over) })
  }
  const keep = (record: Connector) => client.setQueryData(queryKey(getConnector, { params: { id: record.id } }), record)
  /** Whether a save was refused because somebody else was faster: then the draft is followed by what they saved. */
  const wasOvertaken = async ({ id }: Connector, over: Connector): Promise<boolean> => {
    const now = await call(getConnector, { params: { id } })
    keep(now)
    return isDirty(draftOf(form, now), draftOf(form, over))
  }
  const saveOver = async (over: Connector | undefined): Promise<Connector | undefined> => {
    setFailure(null)
    if (!check('save')) return undefined
    setBusy(true)
    try {
      const saved = await send(over)
      keep(saved)
      void client.invalidateQueries({ queryKey: ['listConnectors'] })
      adopt(saved)
      return saved
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      // A duplicate name is a 409, too; then the record itself is as it was read.
      const late = error.status === 409 && connector && over
      if (!late || !(await wasOvertaken(connector, over).catch(() => false))) setFailure(error)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return {
    draft,
    dirty,
    busy,
    problems,
    failure,
    conflict: theirs ? { changed: changedFields(form, draftOf(form, base), draftOf(form, theirs)) } : null,
    check,
    change: (changes) => {
      write((before) => ({ ...before, ...changes }))
      setProblems({})
    },
    save: async () => (overtaken ? undefined : saveOver(base)),
    overwrite: async () => {
      overtaken?.onKeep()
      return saveOver(theirs ?? base)
    },
    takeTheirs: () => overtaken?.onTake(),
  }
}
