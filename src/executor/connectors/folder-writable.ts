import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EngineError } from '../engine/errors.ts'
import { refuseProtected } from '../engine/protected.ts'

/** Whether a database file that does not exist yet could be made. */
export async function folderWritable(path: string, readOnly: boolean, connector: string): Promise<void> {
  refuseProtected(path, connector)
  if (readOnly) {
    throw new EngineError('DATABASE_NOT_FOUND', `The database does not exist: ${path}`, {
      hint: 'A read-only connector needs an existing file.',
    })
  }
  try {
    await access(dirname(path), constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new EngineError('DATABASE_NOT_FOUND', `The database does not exist and cannot be made: ${path}`, {
      hint: 'Make the folder, or give the user that Headgate runs as the right to write there.',
      cause: error,
    })
  }
}
