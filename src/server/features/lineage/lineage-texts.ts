/** What each text of a task reads and writes: read once for ever, a few texts at a time, so that nobody waits behind thousands. */
import { setImmediate } from 'node:timers/promises'
import { type TaskLineage, lineageEdition, taskLineage } from '../../../language/lineage/task-lineage.ts'
import type { Platform } from '../../platform/platform.ts'
import { SHORT_TEXT, type ReadingsService } from '../readings/readings.service.ts'
import type { LineageStore } from './lineage.store.ts'

/** The server's thread is held no longer than this. */
const sliceMs = 12

export function createLineageTexts(
  { store, draining }: Pick<Platform, 'store' | 'draining'>,
  lineage: LineageStore,
  readings: ReadingsService,
) {
  let known: Map<string, TaskLineage> | null = null
  let reading: Promise<unknown> = Promise.resolve()

  /** As an earlier start left them. */
  function kept(): Map<string, TaskLineage> {
    if (known) return known
    known = new Map()
    // Written by `read` below.
    for (const { text_key, lineage: json } of lineage.texts(lineageEdition))
      known.set(text_key, JSON.parse(json) as TaskLineage)
    return known
  }

  async function read(keys: Iterable<string>): Promise<void> {
    const missing = [...new Set(keys)].filter((key) => !kept().has(key))
    while (missing.length > 0) {
      draining.throwIfAborted()
      // Long texts are read before the transaction, which holds others.
      const release = await readings.ahead('task', lineage.yamlOf(missing.at(-1) ?? '') ?? '', undefined, draining)
      const until = performance.now() + sliceMs
      const isLong = (key = '') => (lineage.yamlOf(key)?.length ?? 0) > SHORT_TEXT
      store.transaction(() => {
        do readOne(missing.pop() ?? '')
        while (missing.length > 0 && performance.now() < until && !isLong(missing.at(-1)))
      })
      release()
      await setImmediate()
    }
  }

  function readOne(key: string): void {
    const yaml = lineage.yamlOf(key)
    const found: TaskLineage =
      yaml === undefined ? { uses: [], columns: null } : taskLineage(readings.now('task', yaml, undefined))
    lineage.keepText(key, lineageEdition, JSON.stringify(found))
    kept().set(key, found)
  }

  return {
    /** Within a transaction: a text that is not known yet is read in it. */
    now(key: string): TaskLineage {
      if (!kept().has(key)) readOne(key)
      return kept().get(key) ?? { uses: [], columns: null }
    },
    /** Gives what the texts name; those that are not known yet are read first, after whatever is being read. */
    async of(keys: Iterable<string>): Promise<ReadonlyMap<string, TaskLineage>> {
      const wanted = [...keys]
      const mine = reading.then(() => read(wanted))
      reading = mine.catch(() => {})
      await mine
      return kept()
    },
  }
}
