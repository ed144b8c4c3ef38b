import { msg } from '../../../contract/messages.ts'
import type { BoundConnector, RejectedInput, RunPlan, SourceState } from '../../../contract/executor-protocol.ts'
import type { TaskDocument } from '../../../language/task/kinds/task-document.types.ts'
import type { ConnectorSlot } from '../../../language/task/task.types.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Definitions } from './run-definitions.ts'
import type { RunsStore } from './runs.store.ts'
import type { RunRow } from './runs.table.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import { keptError, type KeptError } from '../../platform/kept-error.ts'

/** What runs need of the connectors feature. */
export interface RunConnectors {
  /** Refuses a mapping that does not fit the slots. */
  check(mapping: Record<string, number>, slots: Record<string, ConnectorSlot>): void
  bind(mapping: Record<string, number>, slots: Record<string, ConnectorSlot>): Record<string, BoundConnector>
}

interface StateOwner {
  task_id: number
  /** null: outside of jobs. */
  job: { id: number; task_key: string; item: string | null } | null
  document: TaskDocument
  mapping: Record<string, number>
}
/** What runs need of the state that tasks keep. */
export interface RunStates {
  find(
    owner: StateOwner,
  ): { id: number | null; state: SourceState | null; revision: string | null; unresolved: number[] } | null
  save(owner: StateOwner, run: Pick<RunRow, 'id' | 'state_revision' | 'full_refresh'>, state: SourceState): void
  doubt(owner: StateOwner, run: Pick<RunRow, 'id' | 'state_revision'>, state: SourceState | null): void
}

export interface AttemptPlanParts {
  runs: RunsStore
  definitions: Definitions
  connectors: RunConnectors
  states: RunStates
  /** The rows of a run that reruns rejects. */
  rejectedInput(run: RunRow): RejectedInput
}

/** An earlier run with the same state may have written the rows that this one would read. */
export class OutcomeUnresolved extends Error {
  readonly code = 'OUTCOME_UNRESOLVED'

  readonly kept: KeptError

  constructor(task: number, state: number, runs: readonly number[]) {
    const kept = keptError(runMessage('outcome_unresolved', { runs: runs.map((id) => `#${id}`), task, state }))
    super(kept.message)
    this.kept = kept
  }
}

/** What an executor gets of a run, and the state that it hands back. */
export function createAttemptPlans({ runs, definitions, connectors, states, rejectedInput }: AttemptPlanParts) {
  // Written by `trigger` from validated bodies.
  const mappingOf = (row: RunRow) => JSON.parse(row.connector_mapping ?? '{}') as Record<string, number>

  const stateOwner = (row: RunRow, document: TaskDocument): StateOwner => ({
    task_id: row.task_id,
    job: row.job_id === null ? null : { id: row.job_id, task_key: row.task_key ?? '', item: row.state_key },
    document,
    mapping: mappingOf(row),
  })

  function saveState(run: RunRow, state: SourceState): void {
    if (run.rejects_of !== null) return
    const document = definitions.get(run)?.document
    if (document) states.save(stateOwner(run, document), run, state)
  }

  /** The run may have committed: nothing continues from its state before somebody says whether it has. */
  function doubtState(run: RunRow): void {
    if (run.rejects_of !== null) return
    const document = definitions.get(run)?.document
    // Written by `permit` from a validated body.
    const state = run.commit_state === null ? null : (JSON.parse(run.commit_state) as SourceState)
    if (document) states.doubt(stateOwner(run, document), run, state)
  }

  function plan(row: RunRow): RunPlan {
    const definition = definitions.get(row)
    if (!definition)
      throw new Refusal('NOT_FOUND', msg('task_version_gone', { version: row.task_version, name: row.task_name }))
    const given = JSON.parse(row.arguments ?? '{}') as Record<string, unknown> // likewise
    const { document } = definition
    const rejected = row.rejects_of === null ? undefined : rejectedInput(row)
    // Rejected rows are apart from what the source has: its state stays.
    const kept = rejected ? null : document && states.find(stateOwner(row, document))
    if (kept && row.full_refresh === 0 && kept.unresolved.length > 0)
      throw new OutcomeUnresolved(row.task_id, kept.id ?? 0, kept.unresolved)
    if (kept) runs.setStateRevision(row.id, kept.revision)
    return {
      run_id: row.id,
      attempt: row.attempt,
      lease_token: row.lease_token!,
      task: { id: row.task_id, name: row.task_name, version: row.task_version, yaml_content: definition.yaml_content },
      arguments: given,
      connectors: connectors.bind(mappingOf(row), definition.slots),
      logical_date: row.logical_date,
      trigger_type: row.trigger_type,
      job_run_id: row.job_run_id,
      timeout_ms: row.timeout_ms,
      state: row.full_refresh === 1 ? null : (kept?.state ?? null),
      full_refresh: row.full_refresh === 1,
      ...(rejected && { rejected }),
    }
  }

  return { plan, saveState, doubtState }
}
