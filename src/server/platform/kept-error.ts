import { inOne, reasonParams, type Message } from '../../language/message.ts'

/** An error as it is kept with a record. */
export interface KeptError {
  /** In English, with what to do about it. */
  message: string
  /** JSON of `reason`, `fix` and the parameters; null: an older record, or words of a far system alone. */
  params: string | null
}

export function keptError(reason: Message, fix: Message | readonly Message[] = []): KeptError {
  const fixes = [fix].flat()
  return {
    message: fixes.reduce((text, next) => inOne(text, next.message), reason.message),
    params: JSON.stringify({ ...reasonParams(reason, undefined), ...(fixes.length > 0 && { fix: fixes }) }),
  }
}

/** With one more sentence. */
export function withFix({ message, params }: KeptError, fix: Message): KeptError {
  const known = shownParams(params)
  const before = known?.['fix']
  const fixes = before === undefined ? [fix] : [before, fix].flat()
  return { message: inOne(message, fix.message), params: known && JSON.stringify({ ...known, fix: fixes }) }
}

/** As a part of another message. */
export function asPart({ message, params }: KeptError): Message | string {
  const { reason, ...own } = shownParams(params) ?? {}
  return typeof reason === 'string' ? { code: reason, params: own, message } : message
}

// Written by `keptError` or checked when an executor sent it.
export const shownParams = (params: string | null): Record<string, unknown> | null =>
  params === null ? null : (JSON.parse(params) as Record<string, unknown>)
