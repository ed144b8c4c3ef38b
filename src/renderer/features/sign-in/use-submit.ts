import { useState } from 'react'
import { ApiFailure } from '../../api/client.ts'
import { useWait } from './use-wait.ts'

export interface Submission {
  busy: boolean
  /** Why the last attempt failed. */
  failure: ApiFailure | null
  /** Seconds for which nothing may be tried. */
  left: number
  run: (work: () => Promise<void>) => Promise<void>
  clear: () => void
}

/** Sends one thing at a time, keeps why it failed, and waits when the server says so. */
export function useSubmit(): Submission {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const { left, begin } = useWait()
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      if (error.status === 429) begin(error.retryAfter ?? 60)
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, left, run, clear: () => setFailure(null) }
}
