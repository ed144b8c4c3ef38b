import { msg } from '../../contract/messages.ts'
import { conflict, invalid } from './refusal.ts'

/** A record's name as it is kept: trimmed, not empty, without control characters. */
export function recordName(given: string, path = 'body.name'): string {
  const name = given.trim()
  if (name === '') invalid([{ path, ...msg('field_empty') }])
  if (/\p{Cc}/u.test(name)) invalid([{ path, ...msg('control_characters') }])
  return name
}

/** 409 when another record of the kind has the name. */
export function keepNameUnique(
  kind: 'task' | 'job template' | 'dashboard template' | 'job' | 'connector' | 'channel' | 'reference',
  name: string,
  other: { id: number; archived?: 0 | 1; status?: string } | undefined,
  id?: number,
): void {
  if (!other || other.id === id) return
  const archived = other.archived === 1 || other.status === 'archived'
  conflict(msg(archived ? 'name_taken_archived' : 'name_taken', { kind, name, id: other.id }))
}
