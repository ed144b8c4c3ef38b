import { runMessage } from '../../../contract/run-messages.ts'
import { EngineError, type EngineErrorCode } from '../../engine/errors.ts'

const mostCharacters = 64

/** The server's own words would be that the SQL has an error, or that collations don't mix. */
export function requireKeepable(names: readonly string[], code: EngineErrorCode): void {
  for (const name of names) {
    const characters = [...name]
    if (characters.length > mostCharacters)
      throw new EngineError(
        code,
        runMessage('mysql_name_too_long', { name, most: mostCharacters, characters: characters.length }),
        { hint: runMessage('mysql_name_too_long_fix') },
      )
    const wide = characters.find((one) => (one.codePointAt(0) ?? 0) > 0xffff)
    if (wide !== undefined)
      throw new EngineError(code, runMessage('mysql_name_wide', { name, character: wide }), {
        hint: runMessage('mysql_name_wide_fix'),
      })
  }
}
