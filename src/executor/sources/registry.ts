import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { TaskSource } from '../../language/task/sources/source.types.ts'
import type { DuckDbFile } from '../engine/attached-files.ts'
import type { OpenOptions, SourceRunner, StageContext } from '../engine/lane.types.ts'
import type { RowStream } from '../engine/stream.ts'
import { filesSource } from './files.ts'
import { httpSource } from '../connectors/http/read.ts'
import { inlineSource } from './inline.ts'
import { mongoSource } from '../connectors/mongodb/read.ts'
import { odataSource } from '../connectors/odata/read.ts'
import { sqlSource } from './sql.ts'

/** Every source that the columnar lane knows: one file each. */
const sourceRunners: { [K in TaskSource['kind']]: SourceRunner<K> } = {
  files: filesSource,
  sql: sqlSource,
  inline: inlineSource,
  http: httpSource,
  odata: odataSource,
  mongo: mongoSource,
}

function runnerOf(source: TaskSource): SourceRunner<TaskSource['kind']> {
  return sourceRunners[source.kind] as SourceRunner<TaskSource['kind']> // the table pairs each kind with its own runner
}

export function sourceDirectories(source: TaskSource, connector: (slot: string) => BoundConnector): Promise<string[]> {
  return runnerOf(source).directories(source, connector)
}

export async function sourceFiles(
  source: TaskSource,
  connector: (slot: string) => BoundConnector,
): Promise<readonly DuckDbFile[]> {
  return (await runnerOf(source).files?.(source, connector)) ?? []
}

export function openSource(source: TaskSource, context: StageContext, options: OpenOptions): Promise<RowStream> {
  return runnerOf(source).open(source, context, options)
}
