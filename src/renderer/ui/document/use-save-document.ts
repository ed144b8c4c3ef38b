import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { ApiFailure, call, etagOf, ifMatch } from '../../api/client.ts'
import { queryKey } from '../../api/queries.ts'
import type { DocumentKind, DocumentRecord, DocumentVersion } from './document.types.ts'

/** Somebody else's version that was saved while ours was being written. */
export interface SaveConflict {
  record: DocumentRecord
  version: DocumentVersion
}

export interface SaveState {
  saving: boolean
  error: ApiFailure | null
  conflict: SaveConflict | null
  /** Resolves to the saved record, or null when it was refused; `conflict` or `error` then says why. */
  save(text: string, summary: string): Promise<DocumentRecord | null>
  /** Shows the conflict before anything is sent: the newer version is known already. */
  compare(): Promise<void>
  clear(): void
}

/** Tags stand in the YAML; a text that never had any leaves those of the record alone. */
async function tagsOf(kind: DocumentKind, before: string, after: string): Promise<{ tags?: string[] }> {
  const tags = await kind.tags(after)
  return tags.length > 0 || (await kind.tags(before)).length > 0 ? { tags: [...tags] } : {}
}

const asFailure = (cause: unknown) =>
  cause instanceof ApiFailure
    ? cause
    : new ApiFailure(0, 'BAD_ANSWER', cause instanceof Error ? cause.message : String(cause))

async function readConflict(kind: DocumentKind, id: number): Promise<SaveConflict> {
  const record = await call(kind.get, { params: { id } })
  return { record, version: await call(kind.getVersion, { params: { id, vid: record.current_version } }) }
}

/** Saves over the version that the text is based on, and over no other. */
export function useSaveDocument(
  kind: DocumentKind,
  base: { record: DocumentRecord; savedText: string; version: number },
): SaveState {
  const client = useQueryClient()
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState<ApiFailure | null>(null)
  const [conflict, setConflict] = useState<SaveConflict | null>(null)
  const { id } = base.record

  const put = async (text: string, summary: string, over: DocumentRecord) => {
    const tags = await tagsOf(kind, base.savedText, text)
    return call(kind.update, {
      params: { id },
      body: {
        yaml_content: text,
        ...tags,
        ...(summary.trim() === '' ? {} : { change_summary: summary.trim() }),
      },
      headers: ifMatch(over),
    })
  }
  const keep = (saved: DocumentRecord) => {
    client.setQueryData(queryKey(kind.get, { params: { id } }), saved)
    for (const list of [kind.listVersions.id, kind.list.id]) void client.invalidateQueries({ queryKey: [list] })
  }
  /** A refused save: was the text changed by somebody, or only something beside it? */
  const afterRefusal = async (text: string, summary: string, refusal: ApiFailure) => {
    const found = await readConflict(kind, id)
    if (found.record.current_version === base.version || found.record.yaml_content === base.savedText) {
      if (etagOf(found.record) === etagOf(base.record)) throw refusal
      return put(text, summary, found.record)
    }
    setConflict(found)
    return null
  }
  const save = async (text: string, summary: string) => {
    setSaving(true)
    setError(null)
    try {
      const saved = await put(text, summary, conflict?.record ?? base.record).catch((cause: unknown) => {
        if (cause instanceof ApiFailure && cause.code === 'CONFLICT') return afterRefusal(text, summary, cause)
        throw cause
      })
      if (saved) {
        setConflict(null)
        keep(saved)
      }
      return saved
    } catch (cause) {
      setError(asFailure(cause))
      return null
    } finally {
      setSaving(false)
    }
  }
  const compare = async () => {
    try {
      setConflict(await readConflict(kind, id))
    } catch (cause) {
      setError(asFailure(cause))
    }
  }
  const clear = useCallback(() => {
    setError(null)
    setConflict(null)
  }, [])
  return { saving, error, conflict, save, compare, clear }
}
