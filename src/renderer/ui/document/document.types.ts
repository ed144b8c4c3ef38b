import type {
  archiveJobTemplate,
  createJobTemplate,
  getJobTemplate,
  getJobTemplateVersion,
  listJobTemplateVersions,
  restoreJobTemplate,
  restoreJobTemplateVersion,
  updateJobTemplate,
} from '../../../contract/job-templates.ts'
import type {
  archiveTask,
  createTask,
  getTask,
  getTaskVersion,
  listTaskVersions,
  restoreTask,
  restoreTaskVersion,
  updateTask,
} from '../../../contract/tasks.ts'
import type { OperationId } from '../../../contract/operations.ts'
import type { TextFinding } from '../code/editor-knowledge.ts'

/** A record whose content is YAML with versions: a task, a job template. */
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

/** What tells one kind of document from another: where it is kept and how it is read. */
export interface DocumentKind {
  /** Part of the names under which this browser keeps drafts and divisions of panes. */
  name: 'task' | 'job-template'
  create: typeof createTask | typeof createJobTemplate
  get: typeof getTask | typeof getJobTemplate
  update: typeof updateTask | typeof updateJobTemplate
  archive: typeof archiveTask | typeof archiveJobTemplate
  restore: typeof restoreTask | typeof restoreJobTemplate
  getVersion: typeof getTaskVersion | typeof getJobTemplateVersion
  listVersions: typeof listTaskVersions | typeof listJobTemplateVersions
  restoreVersion: typeof restoreTaskVersion | typeof restoreJobTemplateVersion
  /** Lists that show its name or version. */
  lists: readonly OperationId[]
  /** Tags stand in the text; none where the language has none. */
  tags(text: string): Promise<readonly string[]>
}
