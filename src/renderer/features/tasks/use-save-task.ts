import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { type TaskDetail, type TaskVersion, getTask, getTaskVersion, updateTask } from '../../../contract/tasks.ts'
import { parseTask } from '../../../language/task/parse-task.ts'
import { ApiFailure, call, etagOf } from '../../api/client.ts'
import { queryKey } from '../../api/queries.ts'

/** Somebody else's version that was saved while ours was being written. */
export interface SaveConflict {
  task: TaskDetail
  version: TaskVersion
}

export interface SaveState {
  saving: boolean
  error: ApiFailure | null
  conflict: SaveConflict | null
  /** Resolves to the saved task, or null when it was refused; `conflict` or `error` then says why. */
  save(text: string, summary: string): Promise<TaskDetail | null>
  /** Shows the conflict before anything is sent: the newer version is known already. */
  compare(): Promise<void>
  clear(): void
}

/** Tags stand in the YAML; a text that never had any leaves those of the record alone. */
function tagsOf(before: string, after: string): { tags?: string[] } {
  const tags = parseTask(after).task?.tags ?? []
  const had = parseTask(before).task?.tags ?? []
  return tags.length > 0 || had.length > 0 ? { tags } : {}
}

const asFailure = (cause: unknown) =>
  cause instanceof ApiFailure
    ? cause
    : new ApiFailure(0, 'BAD_ANSWER', cause instanceof Error ? cause.message : String(cause))

async function readConflict(id: number): Promise<SaveConflict> {
  const task = await call(getTask, { params: { id } })
  return { task, version: await call(getTaskVersion, { params: { id, vid: task.current_version } }) }
}

/** Saves over the version that the text is based on, and over no other. */
export function useSaveTask(base: { task: TaskDetail; savedText: string; version: number }): SaveState {
  const client = useQueryClient()
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState<ApiFailure | null>(null)
  const [conflict, setConflict] = useState<SaveConflict | null>(null)
  const { id } = base.task

  const put = (text: string, summary: string, over: TaskDetail) => {
    const etag = etagOf(over)
    return call(updateTask, {
      params: { id },
      body: {
        yaml_content: text,
        ...tagsOf(base.savedText, text),
        ...(summary.trim() === '' ? {} : { change_summary: summary.trim() }),
      },
      ...(etag ? { headers: { 'if-match': etag } } : {}),
    })
  }
  const keep = (saved: TaskDetail) => {
    client.setQueryData(queryKey(getTask, { params: { id } }), saved)
    void client.invalidateQueries({ queryKey: ['listTaskVersions'] })
    void client.invalidateQueries({ queryKey: ['listTasks'] })
  }
  /** A refused save: was the text changed by somebody, or only something beside it? */
  const afterRefusal = async (text: string, summary: string, refusal: ApiFailure) => {
    const found = await readConflict(id)
    if (found.task.current_version === base.version || found.task.yaml_content === base.savedText) {
      if (etagOf(found.task) === etagOf(base.task)) throw refusal
      return put(text, summary, found.task)
    }
    setConflict(found)
    return null
  }
  const save = async (text: string, summary: string) => {
    setSaving(true)
    setError(null)
    try {
      const saved = await put(text, summary, conflict?.task ?? base.task).catch((cause: unknown) => {
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
      setConflict(await readConflict(id))
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
