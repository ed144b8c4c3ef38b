import { runMessage } from '../../../contract/run-messages.ts'
import { EngineError, type EngineErrorCode } from '../../engine/errors.ts'

const mostBytes = 63

/** The server would cut off the rest without an error: two long names could be one and the same table or column. */
export function requireShort(names: readonly string[], code: EngineErrorCode): void {
  const long = names.find((name) => Buffer.byteLength(name) > mostBytes)
  if (long === undefined) return
  throw new EngineError(
    code,
    runMessage('postgres_name_too_long', { name: long, most: mostBytes, bytes: Buffer.byteLength(long) }),
    { hint: runMessage('postgres_name_too_long_fix') },
  )
}
