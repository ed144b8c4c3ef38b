import { useCallback, useEffect, useRef, useState } from 'react'
import { type TaskPreview, previewTask } from '../../../contract/tasks.ts'
import { ApiFailure, call } from '../../api/client.ts'

export interface PreviewRequest {
  yaml_content: string
  connector_mapping: Record<string, number>
  arguments: Record<string, unknown>
  limit: number
}

export interface PreviewState {
  running: boolean
  result: TaskPreview | null
  /** The text that the result belongs to. */
  text: string | null
  error: ApiFailure | null
  start(request: PreviewRequest): void
  cancel(): void
}

/** Runs a sample through the steps. A new one stops the one before; leaving stops it, too. */
export function usePreview(): PreviewState {
  const [running, setRunning] = useState(false)
  const [shown, setShown] = useState<{ result: TaskPreview; text: string } | null>(null)
  const [error, setError] = useState<ApiFailure | null>(null)
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])

  const start = useCallback((request: PreviewRequest) => {
    controller.current?.abort()
    const mine = new AbortController()
    controller.current = mine
    setRunning(true)
    setError(null)
    const perform = async () => {
      try {
        const result = await call(previewTask, { body: request, signal: mine.signal })
        if (!mine.signal.aborted) setShown({ result, text: request.yaml_content })
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
    controller.current = null
    setRunning(false)
  }, [])
  return { running, result: shown?.result ?? null, text: shown?.text ?? null, error, start, cancel }
}
