import type { ServerEvent } from '../../../contract/events.ts'
import type { EventLog } from '../events.ts'
import type { keepNameUnique } from '../record-name.ts'
import type { DocumentRow } from './documents.table.ts'

type NameOf<Type> = Type extends `${infer Name}.changed` ? Name : never
/** What has an event of its own. */
export type KindName = NameOf<ServerEvent['type']>

/** What a kind of document is called. */
export interface DocumentKind<Name extends KindName = KindName> {
  /** In events, fields, and ETags: `job_template`. */
  name: Name
  /** In messages: `job template`. */
  noun: Parameters<typeof keepNameUnique>[0]
}

/** In the transaction of the change. */
export function appendChanged(events: EventLog, { name }: DocumentKind, row: DocumentRow): void {
  const { current_version, archived } = row
  events.append(`${name}.changed`, row.id, { name: row.name, current_version, archived })
}
