import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EngineError } from '../engine/errors.ts'
import { refuseProtected } from '../engine/protected.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Whether a database file that does not exist yet could be made. */
export async function folderWritable(path: string, readOnly: boolean, connector: string): Promise<void> {
  refuseProtected(path, connector)
  if (readOnly) {
    throw new EngineError('DATABASE_NOT_FOUND', runMessage('database_missing', { path }), {
      hint: runMessage('database_missing_fix'),
    })
  }
  try {
    await access(dirname(path), constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new EngineError('DATABASE_NOT_FOUND', runMessage('database_cannot_be_made', { path }), {
      hint: runMessage('database_cannot_be_made_fix'),
      cause: error,
    })
  }
}
