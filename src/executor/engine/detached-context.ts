import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { CallIo } from '../worker-protocol.ts'
import type { DuckSession } from './duckdb.ts'
import type { StageContext } from './lane.types.ts'
import { tableStream } from './stream.ts'

/** What a source needs when it is looked into outside of a run: no log, no rejects. */
export function detachedContext(
  session: DuckSession,
  connector: (slot: string) => BoundConnector,
  io: CallIo,
): StageContext {
  return {
    stage: 0,
    runKey: '',
    session,
    signal: io.signal,
    tempDir: io.tempDir,
    inOrder: true,
    connector,
    state: null,
    cursor: null,
    tracked: null,
    inputs: [],
    saveState: () => undefined,
    beforeCommit: (check) => check.end?.(),
    input: async (asked) => {
      throw new Error(`there is no task here that could have an input ${asked}`)
    },
    log: () => undefined,
    note: () => undefined,
    logRejects: () => undefined,
    reached: () => undefined,
    drift: () => undefined,
    mayWrite: noTarget,
    readyToCommit: noTarget,
    changed: () => undefined,
    tellsChanges: false,
    warn: () => undefined,
    reject: async () => 0,
    rejectEntries: async () => undefined,
    keepsRejects: () => false,
    async materialise(stream) {
      const table = session.newName('stage')
      const rows = await session.createTable(table, stream.sql)
      return tableStream(table, stream.columns, rows)
    },
    consume: async (_stream, work) => (await work()).value,
  }
}

async function noTarget(): Promise<never> {
  throw new Error('there is no target here')
}
