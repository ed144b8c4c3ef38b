import { useMemo } from 'react'
import { type Connector, getResource } from '../../../contract/connectors.ts'
import { useOperation } from '../../api/queries.ts'
import { emptyDefinition, statementOf } from './builder.rules.ts'
import type { ExplorerTab } from './tabs.ts'

const freshMs = 60_000

/** The builder of a tab: what it holds, the columns that it chooses from, and the statement that it makes. `given`: values of parameters. */
export function useBuilder(
  { builder = false, definition, resource }: ExplorerTab,
  { id, type }: Connector,
  shown: boolean,
  given: Readonly<Record<string, string>>,
) {
  const isOn = builder && resource !== null
  const detail = useOperation(
    getResource,
    { params: { id, name: resource ?? '' } },
    { enabled: shown && isOn && type !== 'http', staleTime: freshMs },
  )
  const columns = detail.data?.columns
  const place = useMemo(() => ({ type, resource: resource ?? '', columns }), [type, resource, columns])
  const held = definition?.mode === 'visual' ? definition : emptyDefinition
  const statement = useMemo(() => statementOf(held, place, given), [held, place, given])
  return { isOn, definition: held, place, shown: statement }
}
