import type { KeyValueStore } from '../../ui/document/draft.ts'

/** Connectors and arguments as they were last used with a task, kept in this browser for the next run or preview. */
export interface RunInputs {
  connector_mapping: Record<string, number>
  arguments: Record<string, unknown>
}

export const emptyInputs: RunInputs = { connector_mapping: {}, arguments: {} }

const keyOf = (task: number | 'new') => `headgate.task.${task}.inputs`

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads JSON of unknown origin into inputs; what does not fit is dropped. */
export function inputsOf(mapping: unknown, given: unknown): RunInputs {
  const connectors: Record<string, number> = {}
  if (isRecord(mapping)) {
    for (const [slot, id] of Object.entries(mapping)) {
      if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) connectors[slot] = id
    }
  }
  return { connector_mapping: connectors, arguments: isRecord(given) ? given : {} }
}

function parse(text: string | null): unknown {
  if (!text) return null
  try {
    return JSON.parse(text)
  } catch {
    // Written by an older version or by hand: as good as never written.
    return null
  }
}

/** JSON-encoded fields of a run as inputs. */
export const inputsOfRun = (run: { connector_mapping: string | null; arguments: string | null }) =>
  inputsOf(parse(run.connector_mapping), parse(run.arguments))

export function recallInputs(store: KeyValueStore | null, task: number | 'new'): RunInputs | null {
  const kept = parse(store?.getItem(keyOf(task)) ?? null)
  return isRecord(kept) ? inputsOf(kept['connector_mapping'], kept['arguments']) : null
}

/** Remembering is a convenience: where the browser has no room or no leave for it, nothing else suffers. */
export function rememberInputs(store: KeyValueStore | null, task: number | 'new', inputs: RunInputs): boolean {
  try {
    store?.setItem(keyOf(task), JSON.stringify(inputs))
    return store !== null
  } catch {
    return false
  }
}

interface Slot {
  types: readonly string[]
}
interface Candidate {
  id: number
  name: string
  type: string
}

/** The mapping for these slots: what was chosen and still fits; one that is called like the slot; where only one fits, that one. */
export function fillMapping(
  slots: Readonly<Record<string, Slot>>,
  connectors: readonly Candidate[],
  chosen: Readonly<Record<string, number>>,
): Record<string, number> {
  const mapping: Record<string, number> = {}
  for (const [name, slot] of Object.entries(slots)) {
    const fitting = connectors.filter((connector) => slot.types.includes(connector.type))
    const kept = fitting.find((connector) => connector.id === chosen[name])
    const namesake = fitting.find((connector) => connector.name.toLowerCase() === name.toLowerCase())
    const only = fitting.length === 1 ? fitting[0] : undefined
    // A choice that was taken back (0) is a choice, too.
    const id = chosen[name] === 0 ? undefined : (kept?.id ?? namesake?.id ?? only?.id)
    if (id !== undefined) mapping[name] = id
  }
  return mapping
}
