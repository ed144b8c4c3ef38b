import { msg } from '../../../contract/messages.ts'
import { setImmediate as otherRequests } from 'node:timers/promises'
import { BUNDLE_FORMAT, type exportBundle } from '../../../contract/exchange.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid, notFound } from '../../platform/refusal.ts'
import { interfaceVersion } from '../../platform/version.ts'
import { type BundleKind, bundleNouns } from './bundle-format.rules.ts'
import { recordLines } from './bundle-lines.rules.ts'
import {
  type ExportedRecord,
  type ExportedVersion,
  type Selection,
  type Snapshot,
  openSnapshot,
} from './exports.store.ts'

type Query = QueryOf<typeof exportBundle>

/** How much is put together before whoever else asks something is answered. */
const PIECE_CHARACTERS = 64 * 1024

export interface Export {
  /** The bundle, in pieces of whole lines. */
  lines: AsyncGenerator<string>
  /** Lets go of what a bundle that nobody has begun to take holds. */
  abandon(): void
}

export function createExportsService({ databaseFile, clock }: Pick<Platform, 'databaseFile' | 'clock'>) {
  return {
    /** Refuses lists that are none (VALIDATION_ERROR) and ids of nothing (NOT_FOUND). */
    open(query: Query): Export {
      const selections = selectionsOf(query)
      const snapshot = openSnapshot(databaseFile)
      let open = true
      const close = () => {
        if (open) snapshot.close()
        open = false
      }
      // Whoever has only a part of the lines can tell: a file that was cut off between two of them looks sound otherwise.
      const records: Partial<Record<BundleKind, number>> = {}
      try {
        for (const [kind, selection] of selections) {
          refuseUnknown(snapshot, kind, selection)
          records[kind] = snapshot.count(kind, selection)
        }
      } catch (error) {
        close()
        throw error
      }
      const versions = query.versions ?? 'current'
      const header = {
        kind: 'bundle',
        format: BUNDLE_FORMAT,
        interface_version: interfaceVersion,
        exported_at: clock.iso(),
        versions,
        records,
      }
      async function* lines() {
        try {
          yield `${JSON.stringify(header)}\n`
          for (const [kind, selection] of selections) yield* linesOf(snapshot, kind, selection, versions === 'all')
        } finally {
          close()
        }
      }
      return { lines: lines(), abandon: close }
    },
  }
}
export type ExportsService = ReturnType<typeof createExportsService>

async function* linesOf(snapshot: Snapshot, kind: BundleKind, selection: Selection, history: boolean) {
  let piece = ''
  for (const record of recordsOf(snapshot, kind, selection)) {
    const versions = history ? historyOf(snapshot, kind, record.id) : currentOf(snapshot, kind, record)
    for (const line of recordLines(headOf(kind, record), versions)) {
      piece += line
      if (piece.length < PIECE_CHARACTERS) continue
      yield piece
      piece = ''
      await otherRequests()
    }
  }
  if (piece !== '') yield piece
}

function* recordsOf(snapshot: Snapshot, kind: BundleKind, selection: Selection): Generator<ExportedRecord> {
  for (let after = ''; ;) {
    const page = snapshot.records(kind, selection, after)
    yield* page
    const last = page.at(-1)
    if (!last) return
    after = last.name
  }
}

function* historyOf(snapshot: Snapshot, kind: BundleKind, id: number): Generator<ExportedVersion> {
  for (let after = 0; ;) {
    const page = snapshot.versions(kind, id, after)
    yield* page
    const last = page.at(-1)
    if (!last) return
    after = last.version
  }
}

function currentOf(snapshot: Snapshot, kind: BundleKind, { id, current_version }: ExportedRecord): ExportedVersion[] {
  const current = snapshot.version(kind, id, current_version)
  if (!current) throw new Error(`The ${kind} ${id} has no version ${current_version}, which is its current one`)
  return [current]
}

const headOf = (kind: BundleKind, { name, description, tags, archived, current_version }: ExportedRecord) => ({
  kind,
  name,
  description,
  // A column of JSON that only lists of texts are written to.
  tags: JSON.parse(tags) as string[],
  archived: archived === 1,
  current_version,
})

/** Tasks before the templates that name them. Without lists everything, with one of them nothing of the others. */
function selectionsOf({
  tasks,
  job_templates,
  dashboard_templates,
  ai_references,
  explorer_presets,
  archived = true,
}: Query): [BundleKind, Selection][] {
  const lists = [tasks, job_templates, dashboard_templates, ai_references, explorer_presets]
  const everything = lists.every((list) => list === undefined)
  const selection = (list: string | undefined, field: string): Selection => {
    if (list === 'all' || (list === undefined && everything)) return { ids: null, archived }
    if (list === 'none' || list === undefined) return { ids: [] }
    const ids = list.split(',').map((one) => one.trim())
    const wrong = ids.find((id) => !/^[1-9]\d{0,14}$/.test(id))
    if (wrong !== undefined) {
      invalid([{ path: `query.${field}`, ...msg('ids_invalid', { given: wrong.slice(0, 40) }) }])
    }
    return { ids: [...new Set(ids.map(Number))] }
  }
  return [
    ['task', selection(tasks, 'tasks')],
    ['job_template', selection(job_templates, 'job_templates')],
    ['dashboard_template', selection(dashboard_templates, 'dashboard_templates')],
    ['ai_reference', selection(ai_references, 'ai_references')],
    ['explorer_preset', selection(explorer_presets, 'explorer_presets')],
  ]
}

function refuseUnknown(snapshot: Snapshot, kind: BundleKind, { ids }: Selection): void {
  const unknown = ids && snapshot.unknown(kind, ids)
  if (unknown) notFound(msg('no_record', { kind: bundleNouns[kind], id: unknown }))
}
