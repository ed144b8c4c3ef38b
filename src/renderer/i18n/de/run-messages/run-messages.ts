import type { RunMessageCode } from '../../../../contract/run-messages.ts'
import { changes } from './changes.ts'
import { code } from './code.ts'
import { databases } from './databases.ts'
import { ends } from './ends.ts'
import { engine } from './engine.ts'
import { files } from './files.ts'
import { steps } from './steps.ts'
import { stores } from './stores.ts'
import { valueChanges } from './value-changes.ts'
import { warnings } from './warnings.ts'
import { web } from './web.ts'

/** Errors of runs and calls of executors, and their hints, by the code of their text. */
export const runMessages: Record<RunMessageCode, string> = {
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
