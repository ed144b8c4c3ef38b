/** What is shown of a failed query. Pure. */
import type { ErrorDetail } from '../../../contract/errors.ts'

type Failed = { message: string; details: readonly Pick<ErrorDetail, 'message' | 'params'>[] }

/** Where the connected system says what is wrong: that alone, as it stands beside its connector, and what to do. null: it doesn’t. */
export function causeOf({ message, details }: Failed): { cause: string; advice: string } | null {
  const [detail] = details
  const cause = detail?.params['cause']
  if (!detail || typeof cause !== 'string' || !message.startsWith(detail.message)) return null
  return { cause, advice: message.slice(detail.message.length).replace(/^[.\s]+/, '') }
}
