import { Refusal } from '../../platform/refusal.ts'
import type { TasksService } from '../tasks/tasks.service.ts'
import { type KnownResource, type KnownSlot, type SampleRows, hiddenIn } from './prompt.rules.ts'

const SAMPLE_ROWS = 5
/** Characters of one value. */
const MOST_OF_A_VALUE = 200

/** The first rows of what is described, for a request whose rows a person looks at before it is sent. */
export async function withRows(
  known: readonly KnownSlot[],
  mapping: Readonly<Record<string, number>>,
  tasks: Pick<TasksService, 'preview'>,
  signal: AbortSignal,
): Promise<KnownSlot[]> {
  const rowsOf = async (slot: KnownSlot, resource: KnownResource): Promise<SampleRows | undefined> => {
    const id = mapping[slot.slot]
    const source = sourceOf(slot, resource)
    if (id === undefined || source === undefined) return undefined
    const body = { yaml_content: readerOf(slot.type, source), connector_mapping: { in: id }, limit: SAMPLE_ROWS }
    const found = await tasks.preview({ ...body, step: 0 }, signal).catch((error: unknown) => {
      // A system that is away has no rows to show.
      if (error instanceof Refusal) return undefined
      throw error
    })
    const stage = found?.stages[0]
    if (!stage || stage.error) return undefined
    return { columns: stage.columns.map((column) => column.name), rows: stage.rows }
  }
  return Promise.all(
    known.map(async (slot): Promise<KnownSlot> => {
      const resources: KnownResource[] = []
      for (const resource of slot.resources) {
        // One after the other: they are all of the same system.
        const sample = resource.columns && (await rowsOf(slot, resource))
        resources.push({ ...resource, ...(sample && { sample }) })
      }
      return { ...slot, resources }
    }),
  )
}

/** How a task reads all of it; undefined: it can't by name alone. */
function sourceOf({ type }: KnownSlot, { name, kind }: KnownResource): object | undefined {
  switch (kind) {
    case 'table':
    case 'view':
      return { sql: { table: name } }
    case 'file':
      // A name is no pattern; braces stand for more than one name even within brackets.
      return /[{}\\]/.test(name) ? undefined : { files: { glob: name.replaceAll(/[*?[]/g, '[$&]') } }
    case 'collection':
      return { mongo: { collection: name, find: {} } }
    case 'entity_set':
      return type === 'odata' ? { odata: { entity: name } } : undefined
    default:
      return undefined
  }
}

/** JSON is YAML. */
const readerOf = (type: string, source: object): string =>
  JSON.stringify({
    etl: 1,
    kind: 'pipeline',
    name: 'sample',
    connectors: { in: { type, access: 'read' }, out: { type: 'file', access: 'write' } },
    source: { connector: 'in', ...source },
    target: { connector: 'out', file: { path: 'sample.csv' } },
  })

/** The same with values of a length that is worth sending: cut after their secrets are hidden, since half of one isn’t found. */
export const withoutSecrets = (known: readonly KnownSlot[], hide: (text: string) => string): KnownSlot[] =>
  known.map((slot) => ({
    ...slot,
    resources: slot.resources.map(({ sample, ...resource }) => ({
      ...resource,
      ...(sample && {
        sample: { ...sample, rows: sample.rows.map((row) => row.map((value) => shortened(value, hide))) },
      }),
    })),
  }))

function shortened(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return value
  const text = hide(typeof value === 'string' ? value : JSON.stringify(hiddenIn(value, hide)))
  if (text.length > MOST_OF_A_VALUE) return `${text.slice(0, MOST_OF_A_VALUE)}…`
  return typeof value === 'string' ? text : value
}
