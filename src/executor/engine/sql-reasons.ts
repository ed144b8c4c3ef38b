import { shortened } from '../../language/shortened.ts'
import { isRunMessageCode, rebuilt, type RunMessageCode, type RunMessageParams } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'
import { verbatim } from './errors.ts'
import { text } from './sql-text.ts'

/** Messages that SQL makes of values: their codes and parameters as JSON, several of them with commas between. */

/** SQL of a message. `params` are SQL as well. */
export function messageSql<Code extends RunMessageCode>(
  code: Code,
  params: Readonly<Record<RunMessageParams<Code>, string>>,
): string {
  const fields = Object.entries<string>(params).flatMap(([key, value]) => [text(key), value])
  return `CAST(json_object('code', ${text(code)}, 'params', json_object(${fields.join(', ')})) AS VARCHAR)`
}

/** SQL of a parameter that is known. */
export function param(value: string | number | Message): string {
  return typeof value === 'object' ? `CAST(${text(jsonOf(value))} AS JSON)` : text(String(value))
}

/** SQL of a parameter that is a list of messages; NULL is none. */
export function paramList(messages: readonly string[]): string {
  return `CAST('[' || concat_ws(',', ${messages.join(', ')}) || ']' AS JSON)`
}

/** SQL of messages of which some are NULL. */
export const several = (messages: readonly string[]): string => `concat_ws(',', ${messages.join(', ')})`

/** As SQL makes it. */
export const jsonOf = ({ code, params }: Omit<Message, 'message'>): string => JSON.stringify({ code, params })

/** What such SQL says, as one message; null: it is something else. The place of a row can come before what is wrong there. */
export function readMessage(json: string): Message | null {
  const [first, ...rest] = parsed(json)
  if (first === undefined) return null
  if (!isPlace(first)) return oneOf([first, ...rest].map(rebuilt))
  return rebuilt({ ...first, params: { ...first.params, cause: oneOf(rest.map(rebuilt)) } })
}

const isPlace = ({ code, params }: Omit<Message, 'message'>) =>
  (code === 'at_line' || code === 'at_row') && !('cause' in params)

/** What is wrong with a row, in one message. */
export function oneOf(causes: readonly Message[]): Message {
  const [only, ...others] = causes
  return only && others.length === 0 ? only : rebuilt({ code: 'several_reasons', params: { causes } })
}

/** The same, of SQL of ours; what cannot be read stays as it is. */
export const messageIn = (json: unknown): Message =>
  readMessage(String(json)) ?? verbatim(shortened(String(json), 1000))

function parsed(json: string): Omit<Message, 'message'>[] {
  try {
    // Made by `messageSql`, or cut off within it.
    const found = JSON.parse(`[${json}]`) as Omit<Message, 'message'>[]
    return found.every(({ code }) => isRunMessageCode(code)) ? found : []
  } catch {
    return []
  }
}
