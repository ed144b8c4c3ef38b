import { shortened } from '../../language/shortened.ts'
import { EngineError, listNames } from '../engine/errors.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** A key that the table takes for equal to another one, though they differ. */
export interface EqualKeys {
  one: string
  other: string
}

/** Such keys are not merged: rows of one would take the place of the other's. */
export function keysTakenForEqual(table: string, keys: readonly string[], { one, other }: EqualKeys): EngineError {
  const columns = `key ${keys.length === 1 ? 'column' : 'columns'} ${listNames(keys)}`
  return new EngineError(
    'KEY_NOT_UNIQUE',
    runMessage('keys_taken_for_equal', { table, one: shortened(one, 200), other: shortened(other, 200), columns }),
    {
      hint: runMessage('keys_taken_for_equal_fix'),
    },
  )
}

/**
 * A key that comes in may find a row of the table that spells it in another case: that is the same key, as the table compares it. What
 * differs by more (accents, trailing blanks, emoji of which the collation knows nothing) is another one.
 */
export function refuseOtherKeys(table: string, keys: readonly string[], found: readonly EqualKeys[]): void {
  const other = found.find((pair) => fold(pair.one) !== fold(pair.other))
  if (other) throw keysTakenForEqual(table, keys, other)
}

function fold(key: string): string {
  return key.normalize('NFC').toLowerCase()
}
