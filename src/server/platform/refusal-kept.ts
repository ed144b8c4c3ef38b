import type { Message } from '../../language/message.ts'
import { keptError, type KeptError } from './kept-error.ts'
import type { Refusal } from './refusal.ts'

/** A refusal as it is kept with a record: what was wrong, then each place. */
export function refusalKept({ message, reason, details = [] }: Refusal): KeptError {
  const parts = details.map(({ path, code, params, message: text }): Message => {
    const place = path.replace(/^body\./, '')
    return {
      code: 'at_path',
      params: { path: place, cause: { code, params, message: text } },
      message: `${place}: ${text}`,
    }
  })
  if (reason) return keptError(reason, parts)
  const words = [message, ...parts.map((part) => part.message)].join(' ')
  return { message: words, params: null }
}
