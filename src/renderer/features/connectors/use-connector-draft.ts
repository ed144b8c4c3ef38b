import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Connector, createConnector, getConnector, updateConnector } from '../../../contract/connectors.ts'
import { ApiFailure, call, etagOf } from '../../api/client.ts'
import { queryKey } from '../../api/queries.ts'
import {
  type ConnectorDraft,
  type ConnectorForm,
  type DraftProblems,
  changedFields,
  draftOf,
  isDirty,
  problemsOf,
  saveBody,
} from './connector-draft.ts'

/** Somebody else saved between our reading and our saving. */
export interface Conflict {
  theirs: Connector
  changed: string[]
}

interface Base {
  draft: ConnectorDraft
  etag: string | undefined
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
export function useConnectorDraft(form: ConnectorForm, connector?: Connector): DraftState {
  const client = useQueryClient()
  const [base, setBase] = useState<Base>(() => ({ draft: draftOf(form, connector), etag: etagOf(connector) }))
  const [draft, setDraft] = useState(base.draft)
  const [seen, setSeen] = useState(connector)
  const [problems, setProblems] = useState<DraftProblems>({})
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [busy, setBusy] = useState(false)
  const dirty = isDirty(draft, base.draft)

  const adopt = (record: Connector) => {
    const next = draftOf(form, record)
    setBase({ draft: next, etag: etagOf(record) })
    setDraft(next)
  }
  if (connector && connector !== seen) {
    // Read again meanwhile (an event). An untouched form follows; a touched one keeps its input, and its ETag unless the
    // fields are the same as before, so that saving over somebody else's change is noticed.
    setSeen(connector)
    if (!dirty) adopt(connector)
    else if (!isDirty(draftOf(form, connector), base.draft)) setBase({ ...base, etag: etagOf(connector) })
  }

  const check = (purpose: 'save' | 'test') => {
    const found = problemsOf(form, draft, purpose)
    setProblems(found)
    return Object.keys(found).length === 0
  }
  const send = async (etag: string | undefined) => {
    const body = saveBody(form, draft)
    if (!connector) return call(createConnector, { body })
    return call(updateConnector, {
      params: { id: connector.id },
      body,
      headers: etag ? { 'if-match': etag } : {},
    })
  }
  const findConflict = async (id: number): Promise<Conflict | null> => {
    const theirs = await call(getConnector, { params: { id } })
    if (etagOf(theirs) === base.etag) return null
    return { theirs, changed: changedFields(form, base.draft, draftOf(form, theirs)) }
  }
  const saveWith = async (etag: string | undefined): Promise<Connector | undefined> => {
    setFailure(null)
    setConflict(null)
    if (!check('save')) return undefined
    setBusy(true)
    try {
      const saved = await send(etag)
      client.setQueryData(queryKey(getConnector, { params: { id: saved.id } }), saved)
      void client.invalidateQueries({ queryKey: ['listConnectors'] })
      setSeen(saved)
      adopt(saved)
      return saved
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      // A duplicate name is a 409, too; then the record itself is as it was read.
      const found = error.status === 409 && connector ? await findConflict(connector.id).catch(() => null) : null
      if (found) setConflict(found)
      else setFailure(error)
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
    conflict,
    check,
    change: (changes) => {
      setDraft((before) => ({ ...before, ...changes }))
      setProblems({})
    },
    save: () => saveWith(base.etag),
    overwrite: () => saveWith(etagOf(conflict?.theirs)),
    takeTheirs: () => {
      if (conflict) adopt(conflict.theirs)
      setConflict(null)
    },
  }
}
