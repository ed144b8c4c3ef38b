import { type Message, type Names, messagesOf } from '../language/message.ts'
import { changes } from './run-messages/changes.ts'
import { code } from './run-messages/code.ts'
import { databases } from './run-messages/databases.ts'
import { ends } from './run-messages/ends.ts'
import { engine } from './run-messages/engine.ts'
import { files } from './run-messages/files.ts'
import { steps } from './run-messages/steps.ts'
import { stores } from './run-messages/stores.ts'
import { valueChanges } from './run-messages/value-changes.ts'
import { warnings } from './run-messages/warnings.ts'
import { web } from './run-messages/web.ts'

/** Every text of errors of runs and calls of executors, and of their hints, by its code: lower case, stable, in English here. A window has them in other languages. */
export const texts = {
  ...engine,
  ...ends,
  ...code,
  ...files,
  ...steps,
  ...databases,
  ...changes,
  ...stores,
  ...web,
  ...valueChanges,
  ...warnings,
}
export type RunMessageCode = keyof typeof texts

export const runMessage = messagesOf(texts)

/** Names of the parameters of a text. */
export type RunMessageParams<Code extends RunMessageCode> = Names<(typeof texts)[Code]>

export const isRunMessageCode = (code: string): code is RunMessageCode => Object.hasOwn(texts, code)

/** A message that came as code and parameters alone, as those within it did. */
export function rebuilt({ code, params }: Omit<Message, 'message'>): Message {
  const own = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, rebuiltParam(value)]))
  // The code is one of the catalog, and whoever made it has checked the parameters.
  return (runMessage as (code: string, params: object) => Message)(code, own)
}

function rebuiltParam(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rebuiltParam)
  return typeof value === 'object' && value !== null ? rebuilt(value as Message) : value // parameters are texts, numbers and messages
}
