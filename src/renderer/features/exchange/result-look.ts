import type { Status } from '../../ui/status.ts'
import type { ImportAction } from './import-state.ts'

/** How each thing that an import does with a record looks. */
export const actionLook: Readonly<Record<ImportAction, Status>> = {
  create: 'success',
  update: 'running',
  unchanged: 'waiting',
  skip: 'skipped',
  error: 'failed',
}
