import { msg } from '../../contract/messages.ts'
import { conflict, invalid } from './refusal.ts'
import { nameMistake } from './visible.rules.ts'

/** A record's name as it is kept: trimmed, not empty, without characters that can't be seen. One that it has `before` stays. */
export function recordName(
  given: string,
  { before, path = 'body.name' }: { before?: string | undefined; path?: string } = {},
): string {
  const name = given.trim()
  if (name === '') invalid([{ path, ...msg('field_empty') }])
  const mistake = name === before ? undefined : nameMistake(name)
  if (mistake) invalid([{ path, ...mistake }])
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
