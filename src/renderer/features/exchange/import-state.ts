/** What an import is asked to do, and how far it has come. Pure. */
import type {
  ImportResultLine,
  ImportSummaryLine,
  archivedTaskPolicies,
  conflictPolicies,
  importActions,
  importModes,
} from '../../../contract/exchange.ts'

export type ImportAction = (typeof importActions)[number]

export interface ImportOptions {
  mode: (typeof importModes)[number]
  conflict_policy: (typeof conflictPolicies)[number]
  archived_task_policy: (typeof archivedTaskPolicies)[number]
  normalize_names: boolean
  validate_only: boolean
}

export const defaultOptions: ImportOptions = {
  mode: 'upsert_current',
  conflict_policy: 'overwrite',
  archived_task_policy: 'skip',
  normalize_names: false,
  validate_only: false,
}

export type ImportResult = ImportResultLine['result']
/** A result with its place in the answer: the key of its row. */
export interface ResultRow extends ImportResult {
  index: number
}

export type ImportPhase = 'idle' | 'sending' | 'done' | 'stopped' | 'failed'

export interface ImportRun {
  phase: ImportPhase
  /** Nothing was or will be applied. */
  dryRun: boolean
  options: ImportOptions
  rows: readonly ResultRow[]
  counts: Readonly<Record<ImportAction, number>>
  summary: ImportSummaryLine | null
  error: Error | null
}

const noCounts: Record<ImportAction, number> = { create: 0, update: 0, unchanged: 0, skip: 0, error: 0 }

export const idleRun: ImportRun = {
  phase: 'idle',
  dryRun: true,
  options: defaultOptions,
  rows: [],
  counts: noCounts,
  summary: null,
  error: null,
}

/** The run with lines that have come since. */
export function withLines(run: ImportRun, results: readonly ImportResult[]): ImportRun {
  const counts = { ...run.counts }
  for (const { action } of results) counts[action] += 1
  return { ...run, counts, rows: [...run.rows, ...results.map((one, at) => ({ ...one, index: run.rows.length + at }))] }
}

export const sameOptions = (a: ImportOptions, b: ImportOptions) => JSON.stringify(a) === JSON.stringify(b)

/** A dry run with these very options has ended, and there is something to be applied. */
export const mayApply = (run: ImportRun, options: ImportOptions) =>
  run.dryRun &&
  run.phase === 'done' &&
  !options.validate_only &&
  sameOptions(run.options, options) &&
  run.counts.create + run.counts.update > 0

export interface Diagnostic {
  severity: string
  message: string
  /** Absent where an older server answers. */
  params?: Readonly<Record<string, unknown>>
  line: number | null
  column: number | null
}

const numberOrNull = (value: unknown) => (typeof value === 'number' ? value : null)

/** Findings in the free form of `validation`. */
export function diagnosticsOf(validation: ImportResult['validation']): Diagnostic[] {
  const found = validation?.diagnostics
  if (!Array.isArray(found)) return []
  return found.flatMap((one: unknown): Diagnostic[] => {
    if (typeof one !== 'object' || one === null || !('message' in one)) return []
    const { message, params, severity, line, column } = one as Record<string, unknown>
    return [
      {
        message: String(message),
        ...(typeof params === 'object' && params !== null ? { params: { ...params } } : {}),
        severity: typeof severity === 'string' ? severity : 'error',
        line: numberOrNull(line),
        column: numberOrNull(column),
      },
    ]
  })
}

/** Result lines of the failed records, as the server gave them. */
export const errorsText = (rows: readonly ResultRow[]) =>
  rows
    .filter((row) => row.action === 'error')
    .map(({ index: _, ...result }) => `${JSON.stringify({ kind: 'result', result })}\n`)
    .join('')

/** The part of a long line around a column, and where in it the column is. */
export function excerptOf(text: string, column: number, around = 60): { text: string; at: number } {
  const start = Math.max(0, column - 1 - around)
  return { text: text.slice(start, column - 1 + around), at: column - 1 - start }
}
