/** What a record may not be tagged with. Pure. */
import type { ErrorDetail } from '../../contract/errors.ts'
import { nameMistake } from './visible.rules.ts'

/** Of tags that are given to a record; those that it has already stay. */
export const tagMistakes = (
  given: readonly string[] | undefined,
  before: readonly string[],
  path: string,
): ErrorDetail[] =>
  (given ?? []).flatMap((tag, index) => {
    const reason = before.includes(tag) ? undefined : nameMistake(tag)
    return reason ? [{ path: `${path}[${index}]`, ...reason }] : []
  })
