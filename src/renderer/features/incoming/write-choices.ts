import type { Connector } from '../../../contract/connectors.ts'
import { sqlDatabases } from '../../../language/task/connector-slots.ts'
import { type WriteChoice, outputPathOf, tableNameOf } from './data-draft.rules.ts'

export interface WriteTo {
  value: string
  /** The connector written to; null: the one that is read from. */
  connector: Connector | null
  write: WriteChoice
}

type TableType = Extract<WriteChoice, { kind: 'table' }>['type']
const tableTypes: readonly string[] = sqlDatabases
const isTableType = (type: string): type is TableType => tableTypes.includes(type)

/** So many are offered; another one is chosen in the editor. */
const most = 100

/** Where the draft may write to: beside the file first, then tables and folders that are there. */
export function writeChoices(
  format: string,
  way: string,
  stem: string,
  connectors: readonly Connector[],
  source: Connector | null,
): WriteTo[] {
  const open = connectors.filter((one) => one.config['read_only'] !== true)
  const tables = open.flatMap((connector): WriteTo[] =>
    isTableType(connector.type) && connector.id !== source?.id
      ? [
          {
            value: `c${connector.id}`,
            connector,
            write: { kind: 'table', type: connector.type, table: tableNameOf(stem) },
          },
        ]
      : [],
  )
  if (format !== 'sqlite' && format !== 'duckdb') {
    const beside: WriteTo = { value: 'beside', connector: null, write: { kind: 'file', path: outputPathOf(way, stem) } }
    return [beside, ...tables.slice(0, most)]
  }
  const same: WriteTo = {
    value: 'same',
    connector: null,
    write: { kind: 'table', type: format, table: `${tableNameOf(stem)}_copy` },
  }
  const files = open
    .filter((one) => one.type === 'file')
    .map((connector): WriteTo => ({
      value: `c${connector.id}`,
      connector,
      write: { kind: 'file', path: `${tableNameOf(stem)}.parquet` },
    }))
  return [...files.slice(0, most), ...tables.slice(0, most), same]
}
