import { useLocalStorage } from '@mantine/hooks'
import { useMemo } from 'react'
import { shownColumnsKey } from '../layout-memory.ts'
import type { TableColumn } from '../table.types.ts'
import { useAddress } from '../use-address.ts'
import { joinValues, splitValues } from './list-address.rules.ts'

export interface ShownColumns<Row> {
  columns: readonly TableColumn<Row>[]
  /** As the address carries them; null: as the list has them. */
  chosen: string | null
  isShown(id: string): boolean
  toggle(id: string): void
  reset(): void
}

/** The columns that somebody wants to see: as the address says, else as remembered here, else as the list has them. */
export function useShownColumns<Row>(id: string, columns: readonly TableColumn<Row>[]): ShownColumns<Row> {
  const [address, set] = useAddress()
  const [stored, setStored] = useLocalStorage<string | null>({
    key: shownColumnsKey(id),
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const given = address.get('columns')
  const wanted = given ?? stored
  return useMemo(() => {
    const names = wanted === null ? null : new Set(splitValues(wanted))
    // The first column names the record.
    const isShown = (name: string) =>
      name === columns[0]?.id || (names ? names.has(name) : !columns.find((column) => column.id === name)?.hidden)
    const keep = (next: string | null) => {
      setStored(next)
      if (given !== null) set({ columns: next })
    }
    return {
      // What someone has chosen is shown, however narrow the table is.
      columns: columns
        .filter((column) => isShown(column.id))
        .map((column) => (names && column.yields ? { ...column, yields: 0 } : column)),
      chosen: wanted,
      isShown,
      toggle: (name) =>
        keep(joinValues(columns.map((column) => column.id).filter((one) => isShown(one) !== (one === name)))),
      reset: () => keep(null),
    }
  }, [columns, wanted, given, set, setStored])
}
