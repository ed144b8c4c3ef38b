import { useCallback, useEffect, useRef, useState } from 'react'
import { evaluateJsonata } from './evaluate-jsonata.ts'
import type { JsonataProblem } from './jsonata.types.ts'
import { mostFirstRows, partOf } from './use-first-rows.ts'
import type { ShownResult } from './use-query.ts'

export type JsonataRun =
  | { kind: 'none' }
  | { kind: 'running' }
  | { kind: 'failed'; problem: JsonataProblem | Error; expression: string }
  | {
      kind: 'done'
      /** Of the run. */
      number: number
      value: unknown
      rows: number
      /** How many rows of the result it ran over; null: all. */
      part: number | null
      /** Values that are here in part only. */
      cut: number
      ms: number
    }

/** One expression over the first rows of a result. Another one, or leaving, ends it. */
export function useJsonata(result: ShownResult, order: readonly number[] | null) {
  const [run, setRun] = useState<JsonataRun>({ kind: 'none' })
  const current = useRef<AbortController>(null)
  const number = useRef(0)
  const stop = useCallback(() => {
    current.current?.abort()
    current.current = null
  }, [])
  useEffect(() => stop, [stop])
  const evaluate = (expression: string) => {
    stop()
    const own = new AbortController()
    current.current = own
    setRun({ kind: 'running' })
    const settle = (next: JsonataRun) => {
      if (current.current === own) setRun(next)
    }
    const begin = async () => {
      const { fields, rows } = result
      const read = await rows.load(0, mostFirstRows - 1)
      const chosen = order ? order.flatMap((row) => read.slice(row, row + 1)) : read
      if (own.signal.aborted) return
      const began = performance.now()
      const answer = await evaluateJsonata({ expression, fields, rows: chosen }, own.signal)
      if (answer.kind !== 'result') return settle({ kind: 'failed', problem: answer, expression })
      const value: unknown = answer.json === undefined ? undefined : JSON.parse(answer.json)
      number.current += 1
      settle({
        kind: 'done',
        number: number.current,
        value,
        rows: chosen.length,
        part: partOf(result, read),
        cut: rows.cutAmong(read.length),
        ms: performance.now() - began,
      })
    }
    begin().catch((error: unknown) =>
      settle({ kind: 'failed', problem: error instanceof Error ? error : new Error(String(error)), expression }),
    )
  }
  const clear = () => {
    stop()
    setRun({ kind: 'none' })
  }
  return { run, evaluate, clear }
}
