import type { JudgeAhead, Judgement } from '../../platform/record-imports.ts'
import type { RecordPlace } from './bundle-records.ts'

/** Longer records wait for their turn, so that what is held in memory stays small. */
const MAX_BYTES = 64 * 1024
/** Chunks that are on their way while one is applied. */
const AHEAD = 2

interface Parts<V> {
  places: readonly RecordPlace[]
  /** Of one chunk; a transaction takes records of one chunk only. */
  size: number
  /** undefined: all are judged when it is their turn. */
  start: (() => JudgeAhead<V>) | undefined
  /** The text of a record that will have to be judged. */
  textOf(place: RecordPlace): string | undefined
  found(place: RecordPlace, judgement: Judgement<V>): void
  failed(error: unknown): void
}

/** Has texts judged in a thread before it is their turn. Whatever it does not find is judged when it is. */
export function createLookAhead<V>({ places, size, start, textOf, found, failed }: Parts<V>) {
  const chunks = new Map<number, Promise<void>>()
  let thread: JudgeAhead<V> | undefined

  async function judge(chunk: number, begin: () => JudgeAhead<V>): Promise<void> {
    const short = places
      .slice(chunk * size, (chunk + 1) * size)
      .filter(({ parts }) => parts.reduce((bytes, { length }) => bytes + length, 0) <= MAX_BYTES)
    const wanted = short.flatMap((place) => {
      const text = textOf(place)
      return text === undefined ? [] : [{ place, text }]
    })
    if (wanted.length === 0) return
    try {
      thread ??= begin()
      const judgements = await thread.judge(wanted.map(({ text }) => text))
      for (const [index, { place }] of wanted.entries()) {
        const judgement = judgements[index]
        if (judgement) found(place, judgement)
      }
    } catch (error) {
      failed(error)
    }
  }

  return {
    /** Resolves when what can be known beforehand of the records from this one to the end of its chunk is known. */
    async ready(next: number): Promise<void> {
      if (!start) return
      const chunk = Math.floor(next / size)
      for (let ahead = chunk; ahead <= chunk + AHEAD && ahead * size < places.length; ahead++) {
        if (!chunks.has(ahead)) chunks.set(ahead, judge(ahead, start))
      }
      await chunks.get(chunk)
    },
    end: () => thread?.end(),
    endOfChunk: (next: number) => (Math.floor(next / size) + 1) * size,
  }
}
