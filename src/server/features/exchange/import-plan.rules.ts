import { type Message, msg } from '../../../contract/messages.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { importBundle } from '../../../contract/exchange.ts'
import type { BundleRecord } from './bundle-records.ts'
import { type BundleVersion, bundleNouns } from './bundle-format.rules.ts'

/** What becomes of a record of a bundle: docs/exchange.md in code. Pure. */

export type ImportOptions = Required<
  Pick<QueryOf<typeof importBundle>, 'mode' | 'conflict_policy' | 'archived_task_policy'>
>

/** The record of the same name that is here. */
export interface Here {
  current_version: number
  archived: boolean
  tags: string[]
  /** Number → text; of the current version only where `upsert_current` compares nothing else. */
  texts: ReadonlyMap<number, string>
  newest: number
}

export type Plan =
  | ({ action: 'unchanged' | 'skip' | 'error' } & Message)
  | { action: 'create'; versions: BundleVersion[] }
  | {
      action: 'update'
      /** With the numbers that they get here. */
      add: { version: number; from: BundleVersion }[]
      current_version: number
      tags: string[]
      unarchive: boolean
      /** Whether another text becomes the current one. */
      text: boolean
    }

export function planImport(record: BundleRecord, here: Here | undefined, options: ImportOptions): Plan {
  const { mode, conflict_policy, archived_task_policy } = options
  if (!here)
    return { action: 'create', versions: mode === 'upsert_all_versions' ? record.versions : [currentOf(record)] }
  const of = { kind: bundleNouns[record.kind] }
  if (mode === 'create_only') {
    return { action: conflict_policy === 'error' ? 'error' : 'skip', ...msg('import_exists', of) }
  }
  const change = changeOf(record, here, mode === 'upsert_all_versions')
  const restores = here.archived && !record.archived
  const differs = change.text || change.add.length > 0 || change.tags !== here.tags
  if (!differs && !restores) return { action: 'unchanged', ...msg('import_same') }
  if (here.archived && archived_task_policy === 'skip') {
    return { action: 'skip', ...msg('import_archived', of) }
  }
  const unarchive = restores && archived_task_policy === 'restore'
  if (!differs && !unarchive) return { action: 'unchanged', ...msg('import_same_archived') }
  if (differs && conflict_policy !== 'overwrite') {
    return { action: conflict_policy, ...msg('import_differs', of) }
  }
  return { action: 'update', ...change, unarchive }
}

export function currentOf({ versions, current_version }: BundleRecord): BundleVersion {
  const current = versions.find(({ version }) => version === current_version)
  if (!current) throw new Error('The current version of a record is not among its versions')
  return current
}

function changeOf(record: BundleRecord, here: Here, history: boolean) {
  const current = currentOf(record)
  const add = history ? missingHere(record.versions, here) : []
  const sameText = here.texts.get(here.current_version) === current.yaml_content
  const tags = record.tags && JSON.stringify(record.tags) !== JSON.stringify(here.tags) ? record.tags : here.tags
  if (sameText) return { add, current_version: here.current_version, tags, text: false }
  const added = add.find(({ from }) => from === current)
  if (added) return { add, current_version: added.version, tags, text: true }
  const version = Math.max(here.newest, ...add.map((one) => one.version)) + 1
  return { add: [...add, { version, from: current }], current_version: version, tags, text: true }
}

/**
 * Versions keep their numbers as long as both histories agree. From the first number that has another text here on, the
 * others are appended, unless their text is here already: so that the same bundle again finds nothing missing.
 */
function missingHere(versions: readonly BundleVersion[], here: Here): { version: number; from: BundleVersion }[] {
  const texts = new Set(here.texts.values())
  const missing: { version: number; from: BundleVersion }[] = []
  let { newest } = here
  let parted = false
  for (const from of versions) {
    const known = here.texts.get(from.version)
    if (known === from.yaml_content && !parted) continue
    parted ||= known !== undefined
    if (parted && texts.has(from.yaml_content)) continue
    const version = parted ? newest + 1 : from.version
    missing.push({ version, from })
    texts.add(from.yaml_content)
    newest = Math.max(newest, version)
  }
  return missing
}
