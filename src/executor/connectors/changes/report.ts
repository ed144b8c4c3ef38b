import { createHash } from 'node:crypto'
import type { ChangeStatement, ChangesReport } from '../../../contract/changes.ts'
import type { EngineError } from '../../engine/errors.ts'

export type Conflict = ChangesReport['conflicts'][number]

/** What a confirmation is bound to: statements, values, and counts, in their order. */
export function digestOf(statements: readonly ChangeStatement[]): string {
  const bound = statements.map(({ statement, values, rows, edit }) => [statement, values, rows, edit])
  return createHash('sha256').update(JSON.stringify(bound)).digest('hex')
}

export function reportOf(
  outcome: ChangesReport['outcome'],
  statements: ChangeStatement[],
  more: Partial<Pick<ChangesReport, 'conflicts' | 'changed' | 'transaction' | 'problem'>> = {},
): ChangesReport {
  return {
    outcome,
    statements,
    rows: statements.reduce((sum, { rows }) => sum + rows, 0),
    changed: null,
    transaction: true,
    digest: digestOf(statements),
    conflicts: [],
    problem: null,
    ...more,
  }
}

/** Statements would touch other rows than those that were reviewed. */
export const differs: Conflict = { edit: null, problem: 'differs', fields: [] }

/** After COMMIT was sent: only a server that answers says that it did not commit. */
export const mayHaveCommitted = ({ code }: EngineError): boolean =>
  code === 'CONNECTION_FAILED' || code === 'CANCELLED' || code === 'INTERNAL_ERROR'
