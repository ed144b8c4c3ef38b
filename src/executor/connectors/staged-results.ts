import { detachedContext } from '../engine/detached-context.ts'
import { openSession, type DuckSession } from '../engine/duckdb.ts'
import { asEngineError } from '../engine/errors.ts'
import { readCastFailure } from '../engine/cast-faults.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { createSourceChecks } from '../engine/source-checks.ts'
import type { ResultRequest } from './results.types.ts'

/**
 * A session of DuckDB for systems that are read by the sources of tasks. What such a source leaves to be checked at the end, such as that
 * a file did not change meanwhile, holds when this returns.
 */
export async function withStage(
  { connector }: ResultRequest,
  directories: string[],
  io: { signal: AbortSignal; tempDir: string },
  work: (session: DuckSession, context: StageContext) => Promise<void>,
): Promise<void> {
  const session = await openSession({ tempDir: io.tempDir, directories, moveFilters: true, signal: io.signal })
  const checks = createSourceChecks()
  try {
    await work(session, { ...detachedContext(session, () => connector, io), beforeCommit: checks.add })
    await checks.hold()
  } catch (thrown) {
    throw await checks.explain(readCastFailure(asEngineError(thrown)))
  } finally {
    checks.end()
    // A result that was given up may keep rows: what was opened is not used again.
    await session.close(false)
  }
}
