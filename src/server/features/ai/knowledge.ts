import { msg } from '../../../contract/messages.ts'
import { Refusal, invalid } from '../../platform/refusal.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { KnownResource, KnownSlot } from './prompt.rules.ts'

export type Connectors = Pick<ConnectorsService, 'kinds' | 'resources' | 'resource'>

/** Resources of one connector whose names are told, and those whose columns are, too. */
const MOST_RESOURCES = 200
const MOST_DESCRIBED = 8
export const MOST_COLUMNS = 300

/** Slot → connector, by names that a task can use. */
export function slotsOf(connectors: Connectors, ids: readonly number[]): Map<string, number> {
  const kinds = connectors.kinds([...ids])
  const slots = new Map<string, number>()
  for (const [index, id] of ids.entries()) {
    const name = kinds.get(id)?.name
    if (name === undefined) invalid([{ path: `body.connector_ids[${index}]`, ...msg('ai_connector_unknown', { id }) }])
    const plain = name
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
    const base = (/^[a-z]/.test(plain) ? plain : `c_${plain}`).slice(0, 40)
    let free = base
    for (let number = 2; slots.has(free); number++) free = `${base}_${number}`
    slots.set(free, id)
  }
  return slots
}

/** Names and types of what the connectors hold: no rows, no defaults, no counts. Connectors that do not answer tell nothing. */
export async function knowledgeOf(
  connectors: Connectors,
  slots: ReadonlyMap<string, number>,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<KnownSlot[]> {
  const kinds = connectors.kinds([...slots.values()])
  const words = texts.join('\n').toLowerCase()
  return Promise.all(
    [...slots].map(async ([slot, id]): Promise<KnownSlot> => {
      const { type = '', read_only = false } = kinds.get(id) ?? {}
      const listed = await orNothing(connectors.resources(id, undefined, signal))
      const all = listed?.resources ?? []
      const named = (name: string) => (words.includes(nameOf(name)) ? 0 : 1)
      const chosen = all.toSorted((a, b) => named(a.name) - named(b.name)).slice(0, MOST_RESOURCES)
      const resources: KnownResource[] = []
      for (const [index, { name, kind }] of chosen.entries()) {
        const isDescribed = index < MOST_DESCRIBED && (named(name) === 0 || all.length <= MOST_DESCRIBED)
        // One connection after the other: they are all to the same system.
        const columns = isDescribed ? await columnsOf(connectors, id, name, signal) : undefined
        resources.push({ name, kind, ...(columns && { columns }) })
      }
      const all_listed = listed !== undefined && !listed.truncated && chosen.length === all.length
      return { slot, type, read_only, all_listed, resources }
    }),
  )
}

/** undefined: the connector doesn’t answer. */
export async function columnsOf(
  connectors: Connectors,
  id: number,
  name: string,
  signal: AbortSignal,
): Promise<KnownResource['columns']> {
  const detail = await orNothing(connectors.resource(id, name, signal))
  return detail?.columns.slice(0, MOST_COLUMNS).map((column) => ({
    name: column.name,
    type: column.type,
    nullable: column.nullable,
    primary_key: column.primary_key,
  }))
}

/** By its name as it is listed, or as the only one that differs from it in case alone. */
export function resourceNamed({ resources }: Pick<KnownSlot, 'resources'>, name: string): KnownResource | undefined {
  const alike = resources.filter((one) => one.name.toLowerCase() === name.toLowerCase())
  return alike.find((one) => one.name === name) ?? (alike.length === 1 ? alike[0] : undefined)
}

/** Of `shop.orders` and `exports/orders.csv`: `orders`. */
const nameOf = (resource: string) =>
  (resource.split('/').at(-1) ?? resource)
    .toLowerCase()
    .replace(/\.(?:csv|jsonl|ndjson|json|parquet|xlsx)(?:\.gz)?$/, '')
    .split('.')
    .at(-1) ?? ''

/** A system that is away, or that no executor can ask, is told of by what is missing. */
const orNothing = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof Refusal && error.code !== 'AUTH_ERROR') return undefined
    throw error
  })
