import { useCallback, useEffect, useRef, useState } from 'react'
import { getHealth } from '../../../contract/health.ts'
import { call } from '../../api/client.ts'

export type ServerWait = 'idle' | 'waiting' | 'late'

const askEveryMs = 400
const lateAfterMs = 45_000

/** A server that was up before it was asked to start anew is the old one still. */
const isNew = (uptimeMs: number, askedAt: number) => uptimeMs < performance.now() - askedAt

/**
 * Waits until the server has started anew, and then calls `onBack`. `begin` takes when it was asked to, by `performance.now()`
 * before the call: a server that starts within milliseconds is up before its answer is read.
 */
export function useServerWait(onBack: () => void): { wait: ServerWait; begin: (askedAt: number) => void } {
  const [wait, setWait] = useState<ServerWait>('idle')
  const askedAt = useRef(0)
  const back = useRef(onBack)
  useEffect(() => {
    back.current = onBack
  })
  const waiting = wait !== 'idle'
  useEffect(() => {
    if (!waiting) return
    const stop = new AbortController()
    const ask = async () => {
      const health = await call(getHealth, { signal: stop.signal }).catch(() => null)
      if (stop.signal.aborted) return
      if (health && isNew(health.uptime_ms, askedAt.current)) {
        setWait('idle')
        back.current()
        return
      }
      if (performance.now() - askedAt.current > lateAfterMs) setWait('late')
      timer = setTimeout(() => void ask(), askEveryMs)
    }
    let timer = setTimeout(() => void ask(), askEveryMs)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [waiting])
  const begin = useCallback((at: number) => {
    askedAt.current = at
    setWait('waiting')
  }, [])
  return { wait, begin }
}
