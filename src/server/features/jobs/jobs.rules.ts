import type { CatalogueVersion, JobDocument } from '../../../language/job/job.types.ts'
import type { ConnectorSlot } from '../../../language/task/task.types.ts'

/**
 * What each connector of a template must be for its job to work: of the types that the template names, narrowed to those that
 * every task bound to it takes; written to where any of them writes.
 */
export function neededConnectors(
  document: JobDocument,
  versionOf: (taskKey: string) => CatalogueVersion | undefined,
): Record<string, ConnectorSlot> {
  const needed: Record<string, ConnectorSlot> = {}
  const asked = new Set<string>()
  for (const [name, slot] of Object.entries(document.connectors)) needed[name] = { ...slot }
  for (const node of Object.values(document.tasks)) {
    if (node.kind !== 'task') continue
    const slots = versionOf(node.key)?.connectors ?? {}
    for (const [slot, name] of Object.entries(node.connectors)) {
      const connector = Object.hasOwn(needed, name) ? needed[name] : undefined
      const wanted = Object.hasOwn(slots, slot) ? slots[slot] : undefined
      if (!connector || !wanted) continue
      const types = connector.types.filter((type) => wanted.types.includes(type))
      if (types.length > 0) connector.types = types
      // The template itself rarely says what its tasks do with it.
      connector.access = asked.has(name) && connector.access !== wanted.access ? 'read_write' : wanted.access
      asked.add(name)
    }
  }
  return needed
}

/** Parameters as they are kept: forms send null for a field left empty, which means the same as leaving it out. */
export function keptParameters(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

/** Of the values that a job has, those that another template still asks for, with the given ones over them. */
export function carriedOver<T>(
  held: Record<string, T>,
  asked: Record<string, unknown>,
  given: Record<string, T>,
): Record<string, T> {
  const kept = Object.entries(held).filter(([name]) => Object.hasOwn(asked, name))
  return Object.fromEntries([...kept, ...Object.entries(given)])
}

/** By task key, without what every object has: `constructor` may be the key of a task, too. */
export function byKey<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  // An object without a prototype has no values yet.
  const values = Object.create(null) as Record<string, T>
  for (const [key, value] of entries) values[key] = value
  return values
}
