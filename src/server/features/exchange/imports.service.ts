import { msg } from '../../../contract/messages.ts'
import { dirname, join } from 'node:path'
import { setImmediate as otherRequests } from 'node:timers/promises'
import type { ImportSummaryLine, importBundle } from '../../../contract/exchange.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RecordImports } from '../../platform/record-imports.ts'
import { Refusal, unavailable } from '../../platform/refusal.ts'
import type { TaskCatalogueService } from '../tasks/task-catalogue.service.ts'
import type { BundleKind } from './bundle-format.rules.ts'
import type { RecordPlace } from './bundle-records.ts'
import { type SpooledBundle, createBundleSpool } from './bundle-spool.ts'
import { createImportQueue } from './import-queue.ts'
import { createLookAhead } from './judge-ahead.ts'
import { createPlannedTasks } from './planned-tasks.ts'
import { type ImportRequest, type ResultLine, createRecordImport } from './record-import.ts'

/** Bundles that are being received, wait or are applied, each with a file of up to 256 MiB. */
const MAX_IMPORTS = 4
/** Of one transaction: nobody else is answered while it lasts. */
const BATCH = { records: 50, ms: 20 } as const
/** For fewer records a thread of their own is not worth its start. */
const MIN_AHEAD = 200
/** Bytes of a record whose text may take long to read. */
const LONG = 16_384
const isLong = ({ parts }: RecordPlace) => parts.reduce((bytes, { length }) => bytes + length, 0) > LONG

interface Dependencies<T, J, D, R, P> {
  tasks: RecordImports<T>
  templates: RecordImports<J>
  dashboards: RecordImports<D>
  references: RecordImports<R>
  presets: RecordImports<P>
  catalogue: TaskCatalogueService
  pools(): string[]
  channels(): string[]
}
type Query = QueryOf<typeof importBundle>

/** An import whose bundle has been read and checked. */
export interface Import {
  /** The answer, in pieces of whole lines; applies the bundle as far as it is taken. */
  lines: AsyncGenerator<string>
  /** Lets go of what an answer that nobody has begun to take holds. */
  abandon(): void
}

export function createImportsService<T, J, D, R, P>(platform: Platform, features: Dependencies<T, J, D, R, P>) {
  const { store, clock, ids, logger, audit } = platform
  const spool = createBundleSpool(join(dirname(platform.databaseFile), 'imports'), ids.uuid)
  const queue = createImportQueue()
  let underWay = 0

  function begin(): () => void {
    if (underWay >= MAX_IMPORTS) unavailable(msg('imports_under_way', { count: MAX_IMPORTS }))
    underWay += 1
    return () => void (underWay -= 1)
  }

  async function* apply(bundle: SpooledBundle, query: Query, caller: Caller, signal: AbortSignal) {
    const request = requestOf(query)
    const planned = createPlannedTasks(features.catalogue, features)
    const { records, read } = bundle
    const { importRecord, prepare, load, judged } = createRecordImport({
      request,
      places: records,
      read,
      planned,
      userId: caller.user_id,
    })
    const summary = { created: 0, updated: 0, skipped: 0, unchanged: 0, errors: 0 }
    const placesOf = (kind: BundleKind) => records.filter((place) => place.kind === kind)
    const progress = { processed: 0, of: records.length, last: null as string | null }
    let complete = false

    async function* each<V>(places: readonly RecordPlace[], imports: RecordImports<V>) {
      const start = places.length < MIN_AHEAD ? undefined : imports.judgeAhead
      const failed = (err: unknown) => logger.warn({ err }, 'Records of a bundle could not be read ahead')
      const textOf = (place: RecordPlace) => prepare(place, imports)
      const ahead = createLookAhead({ places, size: BATCH.records, start, textOf, found: judged, failed })
      try {
        for (let next = 0; next < places.length;) {
          await ahead.ready(next)
          signal.throwIfAborted()
          const chunk = places.slice(next, ahead.endOfChunk(next))
          const [first] = chunk
          const long = chunk.findIndex(isLong)
          if (first && long === 0) await load(first)
          const text = first && long === 0 ? textOf(first) : undefined
          // A long record has a transaction to itself, before which it has been read.
          const release = text === undefined ? undefined : await imports.ahead?.(text, planned.catalogue, signal)
          try {
            const together = long === 0 ? chunk.slice(0, 1) : long === -1 ? chunk : chunk.slice(0, long)
            const lines = store.transaction(() => batch(together, (place) => importRecord(place, imports)))
            next += lines.length
            yield lines
          } finally {
            release?.()
          }
        }
      } finally {
        ahead.end()
      }
    }

    try {
      // Templates name tasks, tasks name nothing.
      for (const lines of [
        each(placesOf('task'), features.tasks),
        each(placesOf('job_template'), features.templates),
        each(placesOf('dashboard_template'), features.dashboards),
        each(placesOf('ai_reference'), features.references),
        each(placesOf('explorer_preset'), features.presets),
      ]) {
        for await (const batch of lines) {
          progress.processed += batch.length
          progress.last = batch.at(-1)?.name ?? null
          for (const { action } of batch) summary[counted[action]] += 1
          const shown = query.action ? batch.filter(({ action }) => action === query.action) : batch
          if (shown.length > 0) yield shown.map(resultLine).join('')
          await otherRequests()
        }
      }
      if (!request.dry_run && !request.validate_only) applied(summary, caller)
      const last: ImportSummaryLine = { kind: 'summary', ...summary }
      yield `${JSON.stringify(last)}\n`
      complete = true
    } finally {
      if (!complete && !request.dry_run && !request.validate_only) stopped(progress, summary, caller)
    }
  }

  /** The call was recorded when its bundle had been read: here is what came of it. Imports that apply nothing have no such record. */
  function applied(summary: Record<string, number>, { username }: Caller): void {
    const counts = Object.entries(summary).map(([what, count]) => `${count} ${what}`)
    audit.system({
      operation: 'importBundleApplied',
      entity: 'import',
      entity_name: `${counts.join(', ')}; by ${username}`,
    })
  }

  /** Never throws: there may be an error on its way that says more. */
  function stopped(
    progress: { processed: number; of: number; last: string | null },
    summary: object,
    { username }: Caller,
  ): void {
    logger.warn({ ...progress, ...summary }, 'An import stopped half way: what it had applied stays')
    try {
      const entity_name = `after ${progress.processed} of ${progress.of} records; by ${username}`
      audit.system({ operation: 'importBundleStopped', entity: 'import', entity_name })
    } catch (error) {
      logger.error({ err: error }, 'That an import stopped half way could not be recorded')
    }
  }

  function batch(places: readonly RecordPlace[], one: (place: RecordPlace) => ResultLine): ResultLine[] {
    const began = clock.monotonic()
    const lines: ResultLine[] = []
    for (const place of places) {
      lines.push(one(place))
      if (clock.monotonic() - began >= BATCH.ms) break
    }
    return lines
  }

  return {
    /** What imports of a server that was killed have left. */
    start: () => spool.clear(),

    /** Reads and checks the whole body before anything is applied: IMPORT_ERROR, PAYLOAD_TOO_LARGE, UNAVAILABLE. */
    async open(body: AsyncIterable<Uint8Array>, query: Query, caller: Caller, signal: AbortSignal): Promise<Import> {
      const leave = begin()
      const bundle = await spool.take(body).catch((error: unknown) => {
        leave()
        throw signal.aborted ? new Refusal('IMPORT_ERROR', msg('bundle_broke_off')) : error
      })
      let begun = false
      const end = async () => {
        await bundle.remove().finally(leave)
      }
      async function* lines() {
        begun = true
        try {
          const done = await queue.turn(signal)
          try {
            yield* apply(bundle, query, caller, signal)
          } finally {
            done()
          }
        } finally {
          await end()
        }
      }
      return {
        lines: lines(),
        abandon() {
          if (begun) return
          begun = true
          end().catch((error: unknown) => logger.error({ err: error }, 'The file of a bundle could not be removed'))
        },
      }
    },
  }
}
export type ImportsService = ReturnType<typeof createImportsService>

const counted = {
  create: 'created',
  update: 'updated',
  skip: 'skipped',
  unchanged: 'unchanged',
  error: 'errors',
} as const

const resultLine = (result: ResultLine) => `${JSON.stringify({ kind: 'result', result })}\n`

const requestOf = (query: Query): ImportRequest => ({
  mode: query.mode ?? 'upsert_current',
  conflict_policy: query.conflict_policy ?? 'overwrite',
  archived_task_policy: query.archived_task_policy ?? 'skip',
  dry_run: query.dry_run ?? false,
  validate_only: query.validate_only ?? false,
  normalize_names: query.normalize_names ?? false,
})
