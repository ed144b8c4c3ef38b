import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { defaultDataDir } from '../process/data-dir.ts'
import { ownPlaces } from '../process/own-places.ts'

/** Protects the data folder of a server on this machine from the engine in this process. */
export async function protectDataFolder(): Promise<void> {
  const { protect } = await import('../executor/engine/protected.ts')
  const { env, platform } = process
  protect(ownPlaces([resolve(env.SVC_DATA_DIR || defaultDataDir(env, platform, homedir()))]))
}
