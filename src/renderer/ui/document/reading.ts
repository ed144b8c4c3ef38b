/** Reading of texts: short ones at once, long ones beside the window, which lives on meanwhile. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { askWorker } from '../worker-questions.ts'
import type { ParsedText, Reader } from './document.types.ts'

/** Letters that are read in some tens of milliseconds, whatever they say. */
export const shortText = 32_768

export const isLong = (text: string) => text.length > shortText

/** `parse` is what the worker does, too. The text that was read last is not read again. */
export function createReader<Parsed>(parse: (text: string) => Parsed, start: () => Worker): Reader<Parsed> {
  const ask = askWorker<(text: string) => Parsed>(start)
  let last: { text: string; reading: Promise<Parsed> } | undefined
  return {
    parse,
    async read(text) {
      if (!isLong(text)) return parse(text)
      if (last?.text !== text) {
        const reading = ask(text).catch((error: unknown) => {
          globalThis.reportError(error)
          return parse(text)
        })
        last = { text, reading }
      }
      return last.reading
    },
  }
}

export interface Reading<Parsed> {
  parsed: Parsed
  /** The text that was read: while a long one is on its way, an earlier one; null before the first. */
  of: string | null
}

/** A text as it is understood. Of a long one only the newest state is read: what is typed meanwhile does not queue up. */
export function useReading<Parsed extends ParsedText>({ parse, read }: Reader<Parsed>, text: string): Reading<Parsed> {
  const short = useMemo(() => (isLong(text) ? null : { parsed: parse(text), of: text }), [parse, text])
  const [long, setLong] = useState<Reading<Parsed> | null>(null)
  const nothing = useMemo(() => ({ parsed: { ...parse(''), diagnostics: [] }, of: null }), [parse])
  const wanted = useRef(text)
  const busy = useRef(false)
  useEffect(() => {
    wanted.current = text
    if (!isLong(text) || busy.current) return
    busy.current = true
    const readOn = async () => {
      let of = ''
      while (of !== wanted.current && isLong(wanted.current)) {
        of = wanted.current
        setLong({ parsed: await read(of), of })
      }
      busy.current = false
    }
    void readOn()
  }, [read, text])
  return short ?? long ?? nothing
}
