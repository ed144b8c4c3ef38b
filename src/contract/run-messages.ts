import { messagesOf } from '../language/message.ts'
import { code } from './run-messages/code.ts'
import { databases } from './run-messages/databases.ts'
import { ends } from './run-messages/ends.ts'
import { engine } from './run-messages/engine.ts'
import { files } from './run-messages/files.ts'
import { steps } from './run-messages/steps.ts'
import { stores } from './run-messages/stores.ts'
import { web } from './run-messages/web.ts'

/** Every text of errors of runs and calls of executors, and of their hints, by its code: lower case, stable, in English here. A window has them in other languages. */
export const texts = { ...engine, ...ends, ...code, ...files, ...steps, ...databases, ...stores, ...web }
export type RunMessageCode = keyof typeof texts

export const runMessage = messagesOf(texts)
