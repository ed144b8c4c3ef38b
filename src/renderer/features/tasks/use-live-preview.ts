import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import type { PreviewRequest, PreviewState } from './use-preview.ts'

/** Milliseconds after the text has been checked; with the check's own pause some 400 after the last letter. */
const stillness = 280

/** Whether previews follow the text, kept for all tasks. */
export function useLiveChoice() {
  return useLocalStorage({ key: 'headgate.preview.live', defaultValue: true, getInitialValueInEffect: false })
}

/** Starts a preview anew soon after anything that it depends on has changed. `request` is null while none can be made. */
export function useLivePreview(preview: PreviewState, request: PreviewRequest | null, enabled: boolean): void {
  const { start, key: shown } = preview
  const latest = useRef(request)
  useEffect(() => {
    latest.current = request
  })
  const key = request?.key ?? null
  useEffect(() => {
    if (!enabled || key === null || key === shown) return
    const timer = setTimeout(() => {
      if (latest.current) start(latest.current)
    }, stillness)
    return () => clearTimeout(timer)
  }, [enabled, key, shown, start])
}
