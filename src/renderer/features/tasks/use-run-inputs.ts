import { useEffect, useMemo, useState } from 'react'
import { type Connector, listConnectors } from '../../../contract/connectors.ts'
import { listRuns } from '../../../contract/runs.ts'
import type { ParsedTask } from '../../../language/task/parse-task.ts'
import { useOperation } from '../../api/queries.ts'
import { type Fields, type ReadArguments, fieldsOf, readFields } from './argument-fields.ts'
import { emptyInputs, fillMapping, inputsOfRun, recallInputs, rememberInputs } from './run-inputs.ts'
import { createHandover } from '../../api/handover.ts'
import { browserStore } from '../../ui/document/draft.ts'

/** Connectors and arguments for a run or preview of one text. */
export interface RunInputsState {
  connectors: readonly Connector[]
  connectorsLoaded: boolean
  /** Slot → connector id: chosen, remembered, or the only one that fits. */
  mapping: Record<string, number>
  choose(slot: string, id: number | null): void
  fields: Fields
  setField(name: string, text: string): void
  read: ReadArguments
  /** Keeps them for the next run of this task; of a new one, for the task that it has become. */
  remember(as?: number | 'new'): void
}

/** Inputs fitted to a text: the one in the editor for a preview, the saved one for a run. */
export type InputsFor = (parsed: ParsedTask) => RunInputsState

/** As many as a list gives at once; whoever has more finds them by typing. */
const most = 200

/** Connectors that were chosen before the editor of a new task opened. */
export const handedConnectors = createHandover<'new', Record<string, number>>()

/** What is chosen now goes before what is remembered here, and that before what the newest run had. */
export function useRunInputs(task: number | 'new'): InputsFor {
  const found = useOperation(listConnectors, { query: { limit: most, sort: 'name', order: 'asc' } })
  const kept = useMemo(() => recallInputs(browserStore(), task), [task])
  const last = useOperation(
    listRuns,
    { query: { task_id: [typeof task === 'number' ? task : 1], limit: 1 } },
    { enabled: task !== 'new' && kept === null },
  )
  const lastRun = last.data?.result[0]
  const before = kept ?? (lastRun ? inputsOfRun(lastRun) : emptyInputs)
  const [chosen, setChosen] = useState<Record<string, number>>({})
  const [typed, setTyped] = useState<Fields>({})
  useEffect(() => (task === 'new' ? handedConnectors.take(task, (mapping) => setChosen(mapping)) : undefined), [task])
  const connectors = found.data?.result ?? []
  const fields = { ...fieldsOf(before.arguments), ...typed }

  return (parsed) => {
    const mapping = fillMapping(parsed.connector_refs, connectors, { ...before.connector_mapping, ...chosen })
    const read = readFields(parsed.arguments, fields)
    return {
      connectors,
      connectorsLoaded: found.data !== undefined,
      mapping,
      choose: (slot, id) => setChosen((now) => ({ ...now, [slot]: id ?? 0 })),
      fields,
      setField: (name, text) => setTyped((now) => ({ ...now, [name]: text })),
      read,
      remember: (as = task) =>
        void rememberInputs(browserStore(), as, { connector_mapping: mapping, arguments: read.values }),
    }
  }
}
