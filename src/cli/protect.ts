import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { defaultDataDir } from '../process/data-dir.ts'
import { ownPlaces } from '../process/own-places.ts'

/** Keeps the engine in this process out of the data folder of a server beside it. */
export async function protectDataFolder(): Promise<void> {
  const { protect } = await import('../executor/engine/protected.ts')
  const { env, platform } = process
  protect(ownPlaces([resolve(env.SVC_DATA_DIR || defaultDataDir(env, platform, homedir()))]))
}
