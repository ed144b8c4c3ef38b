import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { TaskTarget } from '../../language/task/targets/target.types.ts'
import type { ChangeTest } from '../engine/change-test.ts'
import type { DuckDbFile } from '../engine/attached-files.ts'
import type { StageContext, TargetResult, TargetRunner } from '../engine/lane.types.ts'
import type { RowStream } from '../engine/stream.ts'
import { collectionTarget } from '../connectors/mongodb/write.ts'
import { fileTarget } from './file.ts'
import { httpTarget } from '../connectors/http/write.ts'
import { tableTarget } from './table.ts'

/** Every target that the columnar lane knows: one file each. */
const targetRunners: { [K in TaskTarget['kind']]: TargetRunner<K> } = {
  table: tableTarget,
  file: fileTarget,
  collection: collectionTarget,
  http: httpTarget,
}

function runnerOf(target: TaskTarget): TargetRunner<TaskTarget['kind']> {
  return targetRunners[target.kind] as TargetRunner<TaskTarget['kind']> // the table pairs each kind with its own runner
}

export function targetDirectories(target: TaskTarget, connector: (slot: string) => BoundConnector): Promise<string[]> {
  return runnerOf(target).directories(target, connector)
}

export async function targetFiles(
  target: TaskTarget,
  connector: (slot: string) => BoundConnector,
): Promise<readonly DuckDbFile[]> {
  return (await runnerOf(target).files?.(target, connector)) ?? []
}

/** Values that would arrive differently at the target; none where it cannot be looked at. */
export async function targetChanges(
  target: TaskTarget,
  stream: RowStream,
  context: StageContext,
): Promise<readonly ChangeTest[]> {
  return (await runnerOf(target).changes?.(target, stream, context)) ?? []
}

export async function prepareTarget(target: TaskTarget, stream: RowStream, context: StageContext): Promise<RowStream> {
  return (await runnerOf(target).prepare?.(target, stream, context)) ?? stream
}

export function writeTarget(target: TaskTarget, stream: RowStream, context: StageContext): Promise<TargetResult> {
  return runnerOf(target).write(target, stream, context)
}
