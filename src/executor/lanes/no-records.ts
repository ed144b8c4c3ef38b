import type { PipelineTask } from '../../language/task/kinds/task-document.types.ts'
import type { TaskTarget } from '../../language/task/targets/target.types.ts'
import { EngineError } from '../engine/errors.ts'
import type { TargetResult } from '../engine/lane.types.ts'
import type { StepReport } from '../engine/step-report.ts'
import { runMessage } from '../../contract/run-messages.ts'

/**
 * A source whose columns only show in its records gave none: rows that nobody knows the columns of, so no step can be asked for them.
 * Where nothing would come out in any case, that is a run that found nothing new; else it is an error.
 */
export function endWithoutRecords(task: PipelineTask, report: StepReport): TargetResult {
  const { target, steps } = task
  const counts = steps.find(
    (step) =>
      step.kind === 'sql' || (step.kind === 'expect' && step.expectations.some(({ rule }) => rule.kind === 'rows')),
  )
  if (isReplaced(target) || counts) {
    const why = counts
      ? `the step \`${counts.kind}\` may make something of no rows`
      : 'the target is replaced with them'
    throw new EngineError('VALUE_INVALID', runMessage('no_records_but', { why }), {
      hint: runMessage('no_records_but_fix'),
    })
  }
  return endWithoutRows(report, 'The source gave no records: nothing is to be done')
}

/** Whether a run without a new file leaves the target alone rather than to empty it. */
export function keepsWithoutFiles({ source, target }: PipelineTask): boolean {
  return source.kind === 'files' && source.no_new_files === 'keep' && isReplaced(target)
}

export function endWithTargetKept({ target }: PipelineTask, report: StepReport): TargetResult {
  return endWithoutRows(
    report,
    `No new file: ${nameOf(target)} stays as it is (\`no_new_files: empty\` would empty it)`,
  )
}

function isReplaced(target: TaskTarget): boolean {
  return target.kind === 'file' || (target.kind !== 'http' && target.mode === 'replace')
}

function nameOf(target: TaskTarget): string {
  switch (target.kind) {
    case 'table':
      return target.table
    case 'collection':
      return target.collection
    case 'file':
    case 'http':
      return target.path
  }
}

function endWithoutRows(report: StepReport, summary: string): TargetResult {
  for (const { index } of report.steps) {
    report.begin(index)
    report.count(index, 0)
  }
  report.finish(report.steps.length - 1)
  return { rows: 0, changed: 0, bytes: null, summary }
}
