import type { JobRunNode } from '../../../contract/job-runs.ts'
import { getRun, listRunSteps } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'
import type { TextFinding } from '../../ui/code/editor-knowledge.ts'
import { useFailedLine } from '../runs/EditTaskLink.tsx'
import { failedStep, failureFacts } from '../runs/failure-facts.rules.ts'

/** Why a task failed, and where that is in the text that ran, as a finding; null where it did not fail. */
export function useFailure(
  node: JobRunNode,
  ran: string,
): { cause: string; line: number | null; finding: TextFinding | null } | null {
  const id = node.status === 'failed' ? node.run_id : null
  const params = { id: id ?? 0 }
  const run = useOperation(getRun, { params }, { enabled: id !== null }).data ?? null
  const steps = useOperation(listRunSteps, { params }, { enabled: id !== null }).data
  const line = useFailedLine(run, steps ? failedStep(steps) : null, ran)
  if (run === null || run.error_message === null) return null
  const { cause } = failureFacts(run)
  const text = line === null ? undefined : ran.split('\n')[line - 1]
  if (line === null || text === undefined) return { cause, line: null, finding: null }
  const place = { line, column: text.search(/\S|$/) + 1, end_line: line, end_column: text.length + 1 }
  return { cause, line, finding: { severity: 'error', message: cause, path: '', ...place } }
}
