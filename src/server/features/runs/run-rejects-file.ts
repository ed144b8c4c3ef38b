import { guarded } from '../../../contract/formula.ts'
import type { RunReject } from '../../../contract/run-rejects.ts'
import type { RejectFilters, RunDetailsStore } from './run-details.store.ts'

/** Rows read at one go. */
const pageRows = 500
const fixed = ['attempt', 'step', 'reason'] as const

/**
 * Rejected rows as the lines of a CSV file. They are gone through twice: which fields there are is known at the end only. `guard`: texts
 * that a spreadsheet would run as formulas begin with an apostrophe.
 */
export async function* rejectsAsCsv(
  details: Pick<RunDetailsStore, 'rejects'>,
  runId: number,
  filters: RejectFilters,
  guard: boolean,
): AsyncGenerator<string> {
  const csvLine = lineOf(guard)
  const names = new Set<string>()
  for (const page of pagesOf(details, runId, filters))
    for (const { row } of page) for (const field of Object.keys(row)) names.add(field)
  yield csvLine([...fixed, ...[...names].map((field) => `row.${field}`)])
  for (const page of pagesOf(details, runId, filters)) {
    yield page
      .map(({ row, ...reject }) =>
        csvLine([...fixed.map((field) => reject[field]), ...[...names].map((field) => valueOf(row, field))]),
      )
      .join('')
  }
}

/** Rejected rows as JSON Lines, each with the code and parameters of its reason. */
export async function* rejectsAsJsonLines(
  details: Pick<RunDetailsStore, 'rejects'>,
  runId: number,
  filters: RejectFilters,
): AsyncGenerator<string> {
  for (const page of pagesOf(details, runId, filters))
    yield page
      .map(
        ({ attempt, step, reason, code, params, row }) =>
          `${JSON.stringify({ attempt, step, reason, code, params, row })}\n`,
      )
      .join('')
}

function* pagesOf(details: Pick<RunDetailsStore, 'rejects'>, runId: number, filters: RejectFilters) {
  let cursor: string | undefined
  do {
    const page: { rows: RunReject[]; nextCursor: string | null } = details.rejects(runId, {
      ...filters,
      ...(cursor === undefined ? {} : { cursor }),
      limit: pageRows,
    })
    yield page.rows
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}

const valueOf = (row: RunReject['row'], field: string) => (Object.hasOwn(row, field) ? row[field] : null)

/** NULL is nothing, and an empty text is `""`, as in files that tasks write. */
const lineOf =
  (guard: boolean) =>
  (values: readonly unknown[]): string => {
    const fields = values.map((value) => {
      if (value === null || value === undefined) return ''
      const plain = typeof value === 'string' ? value : JSON.stringify(value)
      const text = guard ? guarded(plain) : plain
      return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    })
    return `${fields.join(',')}\r\n`
  }
