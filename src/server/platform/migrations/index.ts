import { foundation } from './0001-foundation.ts'
import { definitions } from './0002-definitions.ts'
import { runs } from './0003-runs.ts'
import { taskStates } from './0004-task-states.ts'
import type { Migration } from './migration.ts'

/** Every step of the schema, in order. */
export const migrations: readonly Migration[] = [foundation, definitions, runs, taskStates]
