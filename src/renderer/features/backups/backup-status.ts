import type { Backup } from '../../../contract/backups.ts'
import type { Status } from '../../ui/status.ts'

/** How the state of a backup looks: whole, or why it cannot be gone back to. */
export const statusLook: Readonly<Record<Backup['status'], Status>> = {
  verified: 'ok',
  unsealed: 'completed',
  damaged: 'failed',
  newer: 'completed',
  foreign: 'skipped',
}
