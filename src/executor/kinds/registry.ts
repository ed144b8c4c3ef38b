import type { TaskDocument } from '../../language/task/kinds/task-document.types.ts'
import { EngineError } from '../engine/errors.ts'
import { commandRunner } from './command.ts'
import { httpRunner } from './http.ts'
import type { KindContext, KindResult, KindRunner } from './kind.types.ts'
import { pipelineRunner } from './pipeline.ts'
import { scriptRunner } from './script.ts'
import { sqlRunner } from './sql.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Every kind of task that this executor runs: one file each. */
const runners: { [K in TaskDocument['kind']]?: KindRunner<K> } = {
  pipeline: pipelineRunner,
  sql: sqlRunner,
  http: httpRunner,
  script: scriptRunner,
  command: commandRunner,
}

export function runKind(task: TaskDocument, context: KindContext): Promise<KindResult> {
  const runner = runners[task.kind] as KindRunner<TaskDocument['kind']> | undefined // the table pairs each kind with its own runner
  if (runner) return runner.run(task, context)
  throw new EngineError('TASK_INVALID', runMessage('kind_not_on_executor', { type: task.kind }), {
    hint: runMessage('kind_not_on_executor_fix', { types: Object.keys(runners) }),
  })
}
