import { useCallback, useEffect, useRef, useState } from 'react'
import { type TaskPreview, previewTask } from '../../../contract/task-preview.ts'
import { columnTypeOf } from '../../../language/task/column-types.ts'
import { ApiFailure, call } from '../../api/client.ts'

export interface PreviewRequest {
  yaml_content: string
  connector_mapping: Record<string, number>
  arguments: Record<string, unknown>
  limit: number
  /** Of all that the rows depend on: two requests with one key give the same preview, whatever else the text says. */
  key: string
}

export interface PreviewState {
  running: boolean
  /** When the one that runs was started; ISO 8601. */
  since: string | null
  result: TaskPreview | null
  /** Of the request that the result belongs to. */
  resultKey: string | null
  /** The source gave as many rows as were asked for, so that it may have more. */
  isPart: boolean
  /** Of the request that was made last, whatever became of it. */
  key: string | null
  error: ApiFailure | null
  start(request: PreviewRequest): void
  cancel(): void
}

/** Columns are shown with the types that `cast` and `columns` know, not with DuckDB's. */
function inLanguageTypes(preview: TaskPreview): TaskPreview {
  return {
    ...preview,
    stages: preview.stages.map((stage) => ({
      ...stage,
      columns: stage.columns.map((column) => ({ ...column, type: columnTypeOf(column.type) })),
    })),
  }
}

/** Runs a sample through the steps. A new one stops the one before; leaving stops it, too. */
export function usePreview(): PreviewState {
  const [running, setRunning] = useState(false)
  const [since, setSince] = useState<string | null>(null)
  const [shown, setShown] = useState<{ result: TaskPreview; key: string; limit: number } | null>(null)
  const [asked, setAsked] = useState<string | null>(null)
  const [error, setError] = useState<ApiFailure | null>(null)
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])

  const start = useCallback(({ key, ...body }: PreviewRequest) => {
    controller.current?.abort()
    const mine = new AbortController()
    controller.current = mine
    setRunning(true)
    setSince(new Date().toISOString())
    setAsked(key)
    const perform = async () => {
      try {
        const result = inLanguageTypes(await call(previewTask, { body, signal: mine.signal }))
        if (mine.signal.aborted) return
        setShown({ result, key, limit: body.limit })
        setError(null)
      } catch (cause) {
        if (mine.signal.aborted) return
        setError(cause instanceof ApiFailure ? cause : new ApiFailure(0, 'BAD_ANSWER', String(cause)))
      } finally {
        if (controller.current === mine) setRunning(false)
      }
    }
    void perform()
  }, [])
  const cancel = useCallback(() => {
    controller.current?.abort()
    setRunning(false)
  }, [])
  return {
    running,
    since,
    result: shown?.result ?? null,
    resultKey: shown?.key ?? null,
    isPart: shown !== null && shown.result.sampled_rows >= shown.limit,
    key: asked,
    error,
    start,
    cancel,
  }
}
