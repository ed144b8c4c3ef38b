import type { dashboardTemplateOperations } from '../../../contract/dashboard-templates.ts'
import type { jobTemplateOperations } from '../../../contract/job-templates.ts'
import type { taskOperations } from '../../../contract/tasks.ts'
import type { Hover } from '../../../language/hover.ts'
import type { JsonSchema } from '../../../language/shape/json-schema.ts'
import type { TextFinding } from '../code/editor-knowledge.ts'

/** The operations of every kind that has pages; they are all alike. */
type Operations = typeof taskOperations | typeof jobTemplateOperations | typeof dashboardTemplateOperations

/** A record whose content is YAML with versions: a task, a job template, a dashboard template. */
export interface DocumentRecord {
  id: number
  name: string
  description: string | null
  current_version: number
  yaml_content: string
  archived: 0 | 1
}

export interface DocumentVersion {
  id: number
  version: number
  yaml_content: string
  change_summary: string | null
  created_by_name: string | null
  created_at: string
}

export interface ParsedText {
  diagnostics: readonly TextFinding[]
}

export interface Reader<Parsed> {
  /** At once, however long it takes. */
  parse: (text: string) => Parsed
  /** Beside the window where the text is long. */
  read: (text: string) => Promise<Parsed>
}

/** What tells one kind of document from another: where it is kept, how it is read, and what it is called. */
export type DocumentKind<Parsed extends ParsedText = ParsedText> = Operations & {
  /** Part of the names of its commands, and of those under which this browser keeps drafts and divisions of panes. */
  name: 'task' | 'job-template' | 'dashboard-template'
  /** What it is among the records that were opened lately. */
  opened: 'task' | 'jobTemplate' | 'dashboardTemplate'
  /** Where its own words are. */
  words: 'tasks' | 'jobTemplates' | 'dashboardTemplates'
  paths: {
    list(): string
    one(id: number): string
    versions(id: number): string
    create(query?: { sample: string }): string
  }
  reader: Reader<Parsed>
  /** Undefined where the text has no name yet. */
  nameIn(parsed: Parsed): string | undefined
  /** Tags stand in the text; none where the language has none. */
  tags(text: string): Promise<readonly string[]>
  schema: JsonSchema
  hover(text: string, offset: number): Hover | null
}

/** What the page of a document asks of its editor. */
export interface DocumentEditorHandle {
  showProblems(): void
  /** What is known to be wrong with a text. */
  check(text: string): ParsedText | Promise<ParsedText>
}
