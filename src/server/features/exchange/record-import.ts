import { asMessage } from '../../../language/message.ts'
import { type Message, msg } from '../../../contract/messages.ts'
import { setImmediate as otherRequests } from 'node:timers/promises'
import type { ImportResultLine } from '../../../contract/exchange.ts'
import type { Judgement, RecordImports } from '../../platform/record-imports.ts'
import { nameMistake } from '../../platform/visible.rules.ts'
import { type BundleVersion, bundleNouns } from './bundle-format.rules.ts'
import type { BundleRecord, RecordPlace } from './bundle-records.ts'
import { normalizedName, withNormalizedNames } from './import-names.rules.ts'
import { type ImportOptions, type Plan, currentOf, planImport } from './import-plan.rules.ts'
import type { PlannedTasks } from './planned-tasks.ts'

export interface ImportRequest extends ImportOptions {
  dry_run: boolean
  validate_only: boolean
  normalize_names: boolean
}
export type ResultLine = ImportResultLine['result']

interface Parts {
  request: ImportRequest
  places: readonly RecordPlace[]
  read(place: RecordPlace): BundleRecord
  planned: PlannedTasks
  userId: number
}

/** Imports the records of one bundle, one at a time, each within the transaction of the caller. */
export function createRecordImport({ request, places, read, planned, userId }: Parts) {
  const { dry_run, validate_only, normalize_names } = request
  const taskNames = new Set(normalize_names ? places.filter(({ kind }) => kind === 'task').map(({ name }) => name) : [])
  const rename = (task: string) => (taskNames.has(task) ? normalizedName(task) : task)
  const ahead = new Map<RecordPlace, BundleRecord>()
  const judged = new Map<RecordPlace, Judgement<unknown>>()
  /** Kind and name that are taken → name in the bundle. */
  const taken = new Map<string, string>()

  /** Record by record, version by version: a long history takes seconds. */
  function* loading(place: RecordPlace): Generator<void, BundleRecord> {
    const record = read(place)
    // Titles of references and presets are no names that others refer to.
    if (!normalize_names || record.kind === 'ai_reference' || record.kind === 'explorer_preset') return record
    const used = request.mode === 'upsert_all_versions' ? record.versions : [currentOf(record)]
    for (const version of used) {
      version.yaml_content = withNormalizedNames(version.yaml_content, rename)
      yield
    }
    return { ...record, name: normalizedName(record.name) }
  }
  function load(place: RecordPlace): BundleRecord {
    const steps = loading(place)
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
    }
  }

  function collision(place: RecordPlace, record: BundleRecord): ResultLine | undefined {
    if (!normalize_names) return undefined
    const key = `${record.kind} ${record.name}`
    const other = taken.get(key)
    if (other === undefined) {
      taken.set(key, place.name)
      return undefined
    }
    return {
      kind: record.kind,
      name: record.name,
      action: 'error',
      ...msg('import_names_collide', { other, name: place.name }),
    }
  }

  /** What the current text is worth under the name that its line gives it. */
  function judgeCurrent<V>(place: RecordPlace, record: BundleRecord, archived: boolean, imports: RecordImports<V>) {
    // Judged by the same kind of record's own thread.
    const known = judged.get(place) as Judgement<V> | undefined
    const judgement = known ?? imports.judge(currentOf(record).yaml_content, archived, planned.catalogue)
    return { judgement, mistake: mistakeIn(record, judgement) }
  }

  function checked<V>(place: RecordPlace, record: BundleRecord, imports: RecordImports<V>): ResultLine {
    const { judgement, mistake: inText } = judgeCurrent(place, record, record.archived, imports)
    const here = () => imports.find(record.name, false)
    const mistake = inText ?? mistakeInName(record, here) ?? mistakeInTags(record, () => here()?.tags)
    if (mistake === undefined) plan(place, record, record.current_version, record.archived, record.versions.map(itself))
    const { kind, name } = record
    const validation = validationOf(judgement)
    return mistake === undefined
      ? { kind, name, action: 'skip', ...msg('import_checked'), validation }
      : { kind, name, action: 'error', ...mistake, validation }
  }

  /** What job templates are held against where nothing is applied. */
  function plan(
    place: RecordPlace,
    { kind, name }: BundleRecord,
    current_version: number,
    archived: boolean,
    versions: { version: number; from: BundleVersion }[],
  ): void {
    if (kind !== 'task') return
    const brings = new Map(versions.map(({ version, from }) => [version, from.version]))
    // Names that are not normalized change nothing of what a task takes.
    const text = (number: number) => read(place).versions.find(({ version }) => version === number)?.yaml_content ?? ''
    planned.add({ name, current_version, archived, brings, text })
  }

  function importOne<V>(place: RecordPlace, imports: RecordImports<V>): ResultLine {
    const record = ahead.get(place) ?? load(place)
    const collided = collision(place, record)
    if (collided) return collided
    if (validate_only) return checked(place, record, imports)
    const { kind, name } = record
    const here = imports.find(name, request.mode === 'upsert_all_versions')
    const decided = planImport(record, here, request)
    const from = here ? { from_version: here.current_version } : {}
    if (decided.action !== 'create' && decided.action !== 'update') {
      const to = decided.action === 'error' || !here ? {} : { to_version: here.current_version }
      return { kind, name, ...decided, ...from, ...to }
    }
    const unfit = mistakeInName(record, () => here) ?? mistakeInTags(record, () => here?.tags)
    if (unfit) return { kind, name, action: 'error', ...from, ...unfit }
    const archived = decided.action === 'create' ? record.archived : (here?.archived ?? false) && !decided.unarchive
    const judged = textChanges(decided) ? judgeCurrent(place, record, archived, imports) : undefined
    if (judged?.mistake !== undefined) {
      const validation = validationOf(judged.judgement)
      return { kind, name, action: 'error', ...from, ...judged.mistake, validation }
    }
    const values = judged?.judgement.valid ? judged.judgement.values : undefined
    const current_version = decided.action === 'create' ? record.current_version : decided.current_version
    const added = decided.action === 'create' ? decided.versions.map(itself) : decided.add
    if (dry_run) plan(place, record, current_version, archived, added)
    else if (decided.action === 'update' && here) {
      imports.change(here.id, { ...decided, values, add: decided.add.map(numberedHere) }, userId)
    } else if (decided.action === 'create' && values !== undefined) {
      const { versions } = decided
      imports.create({ values, versions, current_version, tags: record.tags ?? [], archived }, userId)
    }
    const { missing } = judged?.judgement.valid ? judged.judgement : {}
    const note =
      missing && judged ? { ...msg('import_not_usable', { missing }), validation: validationOf(judged.judgement) } : {}
    return { kind, name, action: decided.action, ...from, to_version: current_version, ...note }
  }

  return {
    /** Reads a record before its turn: the text that has to be judged then, as far as can be told now. */
    prepare<V>(place: RecordPlace, imports: RecordImports<V>): string | undefined {
      const record = ahead.get(place) ?? load(place)
      ahead.set(place, record)
      const { yaml_content } = currentOf(record)
      const here = validate_only ? undefined : imports.find(record.name, false)
      return here?.texts.get(here.current_version) === yaml_content ? undefined : yaml_content
    },
    /** Before `prepare`, of a long record; lets others in between. */
    async load(place: RecordPlace): Promise<void> {
      const steps = loading(place)
      for (;;) {
        const step = steps.next()
        if (step.done) return void ahead.set(place, step.value)
        await otherRequests()
      }
    },
    judged: (place: RecordPlace, judgement: Judgement<unknown>) => void judged.set(place, judgement),
    importRecord<V>(place: RecordPlace, imports: RecordImports<V>): ResultLine {
      const line = importOne(place, imports)
      ahead.delete(place)
      judged.delete(place)
      return line
    },
  }
}

const itself = (from: BundleVersion) => ({ version: from.version, from })
/** What gets another number here was made now; what keeps its number keeps its time. */
const numberedHere = ({ version, from }: { version: number; from: BundleVersion }) => ({
  ...from,
  version,
  created_at: version === from.version ? from.created_at : null,
})
const textChanges = (plan: Extract<Plan, { action: 'create' | 'update' }>) => plan.action === 'create' || plan.text

function mistakeIn<V>({ kind, name, current_version }: BundleRecord, judgement: Judgement<V>): Message | undefined {
  if (!judgement.valid) {
    const first = judgement.diagnostics.find(({ severity }) => severity === 'error')
    const { line = 1, column = 1 } = first ?? {}
    const cause = first ? asMessage(first) : msg('import_text_invalid', { kind: bundleNouns[kind] })
    return msg('import_version_invalid', { version: current_version, line, column, cause })
  }
  if (judgement.name === name) return undefined
  const rest = judgement.numbered && name.startsWith(judgement.name) ? name.slice(judgement.name.length) : ''
  if (/^(?: \(\d+\))+$/.test(rest)) return undefined
  return msg('import_name_differs', {
    kind: bundleNouns[kind],
    name,
    version: current_version,
    written: judgement.name,
  })
}

/** What is wrong with the name of a record that is new: one that is here keeps its name. */
function mistakeInName({ name }: BundleRecord, here: () => object | undefined): Message | undefined {
  const cause = nameMistake(name)
  return cause && !here() ? msg('name_mistake', { cause }) : undefined
}

/** What is wrong with a tag that is new to the record: it keeps those that it has here. */
function mistakeInTags({ tags }: BundleRecord, here: () => readonly string[] | undefined): Message | undefined {
  for (const [index, tag] of (tags ?? []).entries()) {
    const cause = nameMistake(tag)
    if (cause && !here()?.includes(tag)) return msg('import_tag_invalid', { number: index + 1, cause })
  }
  return undefined
}

const validationOf = <V>({ diagnostics }: Judgement<V>): Record<string, unknown> => ({
  valid: diagnostics.every(({ severity }) => severity !== 'error'),
  diagnostics: [...diagnostics],
})
