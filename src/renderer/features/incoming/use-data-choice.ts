import { useDebouncedValue, useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Connector } from '../../../contract/connectors.ts'
import { useSession } from '../../api/session.ts'
import { type ReadChoice, previewText, stemOf, tablesText, taskNameOf } from './data-draft.rules.ts'
import {
  coveringFolder,
  databaseAt,
  exactGlob,
  folderName,
  freeName,
  joined,
  manyGlob,
  placeOf,
} from './data-place.rules.ts'
import type { FileKind } from './file-kind.rules.ts'
import type { IncomingFile } from './incoming.store.ts'
import { delimiterOf, hasHeader, readHead, recordsOf } from './text-sniff.rules.ts'
import { useAllConnectors, useTakenNames } from './use-connectors.ts'
import { type Reach, useFilePreview } from './use-file-preview.ts'
import { sheetsOf } from './xlsx-sheets.ts'

export type DataKind = Extract<FileKind, { kind: 'data' }>

export interface DataFiles {
  file: IncomingFile
  /** Read together with it. */
  others: readonly IncomingFile[]
  kind: DataKind
  head: Uint8Array
}

/** What the file's first lines say of how it is written. */
function sniffedCsv({ file, kind, head }: DataFiles): { delimiter: string; header: boolean } {
  const standard = /\.(tsv|tab)(\.(gz|zst))?$/i.test(file.name) ? '\t' : /\.psv/i.test(file.name) ? '|' : ','
  const read = kind.format === 'csv' && !kind.compressed ? readHead(head, file.size <= head.length) : null
  if (!read) return { delimiter: standard, header: true }
  const text = read.text.replace(/^\uFEFF/, '')
  const whole = file.size <= head.length
  const delimiter = delimiterOf(text, whole) ?? standard
  return { delimiter, header: hasHeader(recordsOf(text, delimiter, whole)) }
}

/** A connector for what lies there: the one that reaches it, or what a new one would be. */
function reachOf(
  kind: DataKind,
  path: string,
  connectors: readonly Connector[],
): { reach: Reach; ways: string } | null {
  const place = placeOf(path)
  if (!place) return null
  if (kind.format === 'sqlite' || kind.format === 'duckdb') {
    const there = databaseAt(connectors, kind.format, path)
    const made = { kind: 'new', type: kind.format, config: { path: path.trim() } } as const
    return { reach: there ? { kind: 'there', connector: there } : made, ways: '' }
  }
  const covering = coveringFolder(connectors, path.trim())
  if (!covering) return { reach: { kind: 'new', type: 'file', config: { root: place.folder } }, ways: '' }
  return {
    reach: { kind: 'there', connector: covering.connector },
    ways: covering.way.slice(0, covering.way.length - place.name.length),
  }
}

/** Everything that is chosen in the dialog of a data file, and what follows from it. */
export function useDataChoice(files: DataFiles) {
  const { file, kind, others } = files
  const { can } = useSession()
  const [folder, rememberFolder] = useLocalStorage({
    key: 'headgate.incoming.folder',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const [typed, setTyped] = useState(file.path ?? (folder === '' ? '' : joined(folder, file.name)))
  const [path] = useDebouncedValue(typed, file.path === null ? 350 : 0)
  const connectors = useAllConnectors()
  const sniffed = useMemo(() => sniffedCsv(files), [files])
  const [written, setWritten] = useState<Partial<Pick<ReadChoice, 'delimiter' | 'header' | 'sheet' | 'table'>>>({})
  const [given, setGiven] = useState<{ task?: string; connector?: string }>({})

  const found = connectors.data ? reachOf(kind, path, connectors.data) : null
  const reach = found?.reach ?? null
  const place = placeOf(path)
  const names = [place?.name ?? file.name, ...others.map((other) => other.name)]
  const ways = names.map((name) => `${found?.ways ?? ''}${name}`)
  const isDatabase = kind.format === 'sqlite' || kind.format === 'duckdb'
  const mayRead = reach !== null && (reach.kind === 'there' || can('previewConnector'))

  const tables = useFilePreview(
    mayRead ? reach : null,
    isDatabase ? tablesText(kind.format === 'duckdb' ? 'duckdb' : 'sqlite') : null,
    1000,
  )
  const tableNames = isDatabase ? tables.data?.stages[0]?.rows.map(([name]) => String(name)) : undefined
  const sheets = useQuery({
    queryKey: ['incoming-sheets', file.name, file.size, typed],
    enabled: kind.format === 'xlsx',
    gcTime: 0,
    retry: false,
    queryFn: () => sheetsOf(file),
  })
  const read: ReadChoice = {
    format: kind.format,
    glob: manyGlob(ways) ?? exactGlob(ways[0] ?? ''),
    misnamed: kind.misnamed,
    delimiter: written.delimiter ?? sniffed.delimiter,
    header: written.header ?? sniffed.header,
    encoding: kind.encoding,
    sheet: written.sheet ?? null,
    table: written.table ?? tableNames?.[0] ?? null,
  }
  const readable = mayRead && (!isDatabase || read.table !== null)
  const rows = useFilePreview(readable ? reach : null, readable ? previewText(read) : null)

  const stem = stemOf(place?.name ?? file.name)
  const wanted = taskNameOf(isDatabase && read.table !== null ? `${stem}.${read.table}` : stem)
  const taken = useTakenNames(wanted)
  const connectorNames = new Set((connectors.data ?? []).map((one) => one.name.toLowerCase()))
  const wantedConnector = (isDatabase ? stem : folderName(place?.folder ?? '')) || 'files'
  return {
    file,
    kind,
    typed,
    setTyped,
    place,
    connectors: connectors.data ?? [],
    connectorsError: connectors.error,
    reach,
    mayRead,
    /** The first file's way below the connector's folder. */
    way: ways[0] ?? '',
    stem: isDatabase ? (read.table ?? stem) : stem,
    read,
    choose: (change: typeof written) => setWritten((before) => ({ ...before, ...change })),
    tables: tableNames,
    tablesFailure: tables.data?.stages[0]?.error ?? tables.error,
    sheets: sheets.data ?? null,
    rows,
    taskName: given.task ?? freeName(wanted, taken.data ?? new Set()),
    connectorName: given.connector ?? freeName(wantedConnector, connectorNames),
    give: (change: typeof given) => setGiven((before) => ({ ...before, ...change })),
    /** The next file of a browser is looked for where this one was. */
    remember: () => {
      if (file.path === null && place) rememberFolder(place.folder)
    },
  }
}
export type DataChoice = ReturnType<typeof useDataChoice>
