import type { Page } from 'playwright'
import type { Records, WorkspaceName } from './workspaces.ts'

export interface Screen {
  name: string
  /** null: there is no such record in this control plane. */
  address: (records: Records) => string | null
  /** What somebody does before the picture is taken. */
  after?: (page: Page) => Promise<void>
  /** Of what is drawn late where there is much of it. */
  awaits?: string
  /** Where it differs; everywhere unless told. */
  in?: readonly WorkspaceName[]
  /** Without a session. */
  signedOut?: boolean
  /** In the desktop's own window. */
  desktop?: boolean
}
