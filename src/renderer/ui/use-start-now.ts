import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { ApiFailure } from '../api/client.ts'

interface StartNow<Started> {
  start(): Promise<Started>
  onStarted(started: Started): void
  /** Connectors or arguments are missing, or fit no more: the dialog asks for them. */
  onRefused(): void
}

/** Starts something without a dialog, once at a time. */
export function useStartNow<Started>({ start, onStarted, onRefused }: StartNow<Started>) {
  const [busy, setBusy] = useState(false)
  const refused = (failure: unknown) => {
    if (failure instanceof ApiFailure && failure.code === 'VALIDATION_ERROR') onRefused()
    else notifications.show({ color: 'red', message: failure instanceof Error ? failure.message : String(failure) })
  }
  const run = () => {
    if (busy) return
    setBusy(true)
    void start()
      .then(onStarted, refused)
      .finally(() => setBusy(false))
  }
  return { busy, run }
}
