import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../src/server/platform/store.ts'
import { connect, makeApiKey, startServerProcess } from '../../faults/support/server-process.ts'
import { insertRuns } from './million-runs.ts'

export const runs = 1_000_000

/** A data folder whose store holds this many runs, and an API key for it. The caller removes it. */
export async function makeBigStore(count = runs): Promise<{ dataDir: string; apiKey: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-big-'))
  const server = await startServerProcess(dataDir)
  const apiKey = await makeApiKey(server.url)
  await server.stop()
  const sqlite = openDatabase(join(dataDir, 'headgate.db'))
  insertRuns(sqlite, count)
  sqlite.close()
  return { dataDir, apiKey }
}

export const clientOf = (url: string, apiKey: string) => connect(url, { authorization: `Bearer ${apiKey}` })
