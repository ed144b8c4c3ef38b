import type { Message } from '../../contract/messages.ts'
import type { Diagnostic } from '../../contract/task-preview.ts'
import type { Static } from 'typebox'
import type { JobCatalogue } from '../../language/job/job.types.ts'

/** What an import of bundles needs of a kind of record whose text is kept in versions. */

export interface ImportedVersion {
  version: number
  yaml_content: string
  change_summary: string | null
  /** null: now. */
  created_at: string | null
}

/** The record of a name, as it is here. */
export interface StoredRecord {
  id: number
  current_version: number
  archived: boolean
  tags: string[]
  /** Number → text: of the current version, or of all where the history was asked for. */
  texts: Map<number, string>
  newest: number
}

/** What a text is worth: its name and what is kept of it, or why it is refused. */
export type Judgement<V> =
  | {
      valid: true
      name: string
      /** Others can have the same name: then a number in parentheses stands after it in a bundle. */
      numbered?: boolean
      values: V
      /** Things that it names and that are not here, which keep it from being used, not from being kept. */
      missing?: readonly Message[]
      diagnostics: readonly Static<typeof Diagnostic>[]
    }
  | { valid: false; diagnostics: readonly Static<typeof Diagnostic>[] }

export interface NewRecord<V> {
  values: V
  versions: readonly ImportedVersion[]
  current_version: number
  tags: string[]
  archived: boolean
}

export interface RecordChange<V> {
  /** undefined: the text of the current version stays. */
  values: V | undefined
  add: readonly ImportedVersion[]
  current_version: number
  tags: string[]
  unarchive: boolean
}

/** Judges texts, none of which refers to anything, beside everything else. */
export interface JudgeAhead<V> {
  judge(texts: string[]): Promise<Judgement<V>[]>
  end(): void
}

/** Writes belong into a transaction of the caller's; each tells of its change as a save does. */
export interface RecordImports<V> {
  find(name: string, history: boolean): StoredRecord | undefined
  /** By the rules of a save. Of an archived record what it refers to may be missing: nothing is started from it. */
  judge(yaml: string, archived: boolean, catalogue: JobCatalogue): Judgement<V>
  /** Reads a long text, so that `judge` needn't, until the answer is called. */
  ahead?(yaml: string, catalogue: JobCatalogue, signal: AbortSignal): Promise<() => void>
  /** Where a judgement needs nothing but the text. */
  judgeAhead?: () => JudgeAhead<V>
  create(record: NewRecord<V>, userId: number): void
  change(id: number, change: RecordChange<V>, userId: number): void
}
