import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { SqlSource } from '../../language/task/sources/source.types.ts'
import type { OpenOptions, StageContext } from '../engine/lane.types.ts'
import type { RowStream } from '../engine/stream.ts'

/** Reads a query or table of one kind of database into the session. */
export type DatabaseSource = (
  read: SqlSource['read'],
  connector: BoundConnector,
  context: StageContext,
  options: OpenOptions,
) => Promise<RowStream>
