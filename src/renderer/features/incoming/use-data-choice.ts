import { useDebouncedValue, useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Connector } from '../../../contract/connectors.ts'
import { useSession } from '../../api/session.ts'
import { type ReadChoice, asUsual, previewText, stemOf, tablesText, taskNameOf } from './data-draft.rules.ts'
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
import { recordPaths } from './json-records.rules.ts'
import { type StartRow, rowsAbove, totalsBelow } from './table-start.rules.ts'
import {
  type Ragged,
  type TextRecord,
  delimiterOf,
  hasHeader,
  placedRecords,
  raggedOf,
  textIn,
} from './text-sniff.rules.ts'
import { useAllConnectors, useTakenNames } from './use-connectors.ts'
import { type Reach, useFilePreview } from './use-file-preview.ts'
import { useUpload } from './use-upload.ts'
import { type ColumnWriting, type NumberStyle, type Written, writtenOf } from './written-sniff.rules.ts'
import { sheetRows, sheetsOf } from './xlsx-sheets.ts'

export type DataKind = Extract<FileKind, { kind: 'data' }>

export interface DataFiles {
  file: IncomingFile
  /** Read together with it. */
  others: readonly IncomingFile[]
  kind: DataKind
  head: Uint8Array
}

const nothing = { number: null, day: null }

type CsvChoice = Pick<ReadChoice, 'delimiter' | 'header' | 'skip' | 'quote' | 'encoding'>

const startRow = ({ line, fields }: TextRecord): StartRow => ({
  number: line,
  width: fields.length,
  filled: fields.filter((field) => field.trim() !== '').length,
})

/** What the file's first lines say of how it is written, as far as it was not said. */
function sniffedCsv(
  { file, kind, head }: DataFiles,
  chosen: Partial<CsvChoice>,
  numbers: NumberStyle | undefined,
): CsvChoice & { written: Written; ragged: Ragged | null; totals: number | null; names: readonly string[] } {
  const standard = /\.(tsv|tab)(\.(gz|zst))?$/i.test(file.name) ? '\t' : /\.psv/i.test(file.name) ? '|' : ','
  const { encoding = kind.encoding, quote = '"' } = chosen
  if (kind.format !== 'csv' || kind.compressed) {
    const { delimiter = standard, header = true, skip = 0 } = chosen
    return {
      delimiter,
      header,
      skip,
      quote,
      encoding,
      written: { ...asUsual, unclear: nothing },
      ragged: null,
      totals: null,
      names: [],
    }
  }
  const text = textIn(head, encoding).replace(/^\uFEFF/, '')
  const whole = file.size <= head.length
  const delimiter = chosen.delimiter ?? delimiterOf(text, whole) ?? standard
  const lines = placedRecords(text, delimiter, whole, quote)
  const skip = chosen.skip ?? rowsAbove(lines.map(startRow))
  const records = lines.filter(({ line }) => line > skip)
  const rows = records.map(({ fields }) => fields)
  const header = chosen.header ?? hasHeader(rows)
  const names = header ? (rows[0] ?? []).map((name) => name.trim()) : (rows[0] ?? []).map((_, at) => `column${at}`)
  const listed = header ? rows.slice(1) : rows
  const end = listed.length - (whole ? totalsBelow(listed) : 0)
  const [inTable, below] = [listed.slice(0, end), listed.slice(end)]
  const written = writtenOf({ names, records: inTable, below, delimiter, chosen: numbers })
  const totals = below.length === 0 ? null : (records.at(-below.length)?.line ?? null)
  return { delimiter, header, skip, quote, encoding, written, ragged: raggedOf(records), totals, names }
}

function withChosen(
  found: Readonly<Record<string, ColumnWriting>>,
  chosen: Readonly<Record<string, ColumnWriting | null>>,
): Record<string, ColumnWriting> {
  const all = Object.entries({ ...found, ...chosen })
  return Object.fromEntries(all.flatMap(([name, as]) => (as === null ? [] : [[name, as] as const])))
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
  const { file, kind, others, head } = files
  const { can } = useSession()
  const [folder, rememberFolder] = useLocalStorage({
    key: 'headgate.incoming.folder',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const [typed, setTyped] = useState(file.path ?? (folder === '' ? '' : joined(folder, file.name)))
  const all = useMemo(() => [file, ...others], [file, others])
  const upload = useUpload(all)
  const uploaded = upload.isOn ? upload.files?.[0]?.path : undefined
  const [debounced] = useDebouncedValue(typed, file.path === null ? 350 : 0)
  const path = upload.isOn ? (uploaded ?? '') : debounced
  const connectors = useAllConnectors()
  const [chosen, setChosen] = useState<Partial<Omit<ReadChoice, 'format' | 'glob' | 'misnamed' | 'written'>>>({})
  const [writing, setWriting] = useState<Partial<Omit<ReadChoice['written'], 'columns'>>>({})
  const [ofColumns, setOfColumns] = useState<Readonly<Record<string, ColumnWriting | null>>>({})
  const { delimiter, header, skip, quote, encoding } = chosen
  const sniffed = useMemo(
    () =>
      sniffedCsv(
        files,
        {
          ...(delimiter && { delimiter }),
          ...(header !== undefined && { header }),
          ...(skip !== undefined && { skip }),
          ...(quote !== undefined && { quote }),
          ...(encoding && { encoding }),
        },
        writing.numbers,
      ),
    [files, delimiter, header, skip, quote, encoding, writing.numbers],
  )
  const paths = useMemo(
    () => (kind.format === 'json' && !kind.compressed ? recordPaths(textIn(head, kind.encoding)) : []),
    [kind, head],
  )
  const [given, setGiven] = useState<{ task?: string; connector?: string }>({})

  const found = connectors.data ? reachOf(kind, path, connectors.data) : null
  const reach = found?.reach ?? null
  const place = placeOf(path)
  const sent = upload.isOn ? upload.files?.map(({ name }) => name) : undefined
  const names = sent ?? [place?.name ?? file.name, ...others.map((other) => other.name)]
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
    queryKey: ['incoming-sheets', file.name, file.size, path],
    enabled: kind.format === 'xlsx',
    gcTime: 0,
    retry: false,
    queryFn: () => sheetsOf(file),
  })
  const sheetStart = useQuery({
    queryKey: ['incoming-sheet-start', file.name, file.size, path, chosen.sheet],
    enabled: kind.format === 'xlsx',
    gcTime: 0,
    retry: false,
    queryFn: async () => rowsAbove((await sheetRows(file, chosen.sheet ?? null)) ?? []),
  })
  const read: ReadChoice = {
    format: kind.format,
    glob: manyGlob(ways) ?? exactGlob(ways[0] ?? ''),
    misnamed: kind.misnamed,
    delimiter: sniffed.delimiter,
    header: kind.format === 'csv' ? sniffed.header : (chosen.header ?? true),
    skip: kind.format === 'xlsx' ? (chosen.skip ?? sheetStart.data ?? 0) : sniffed.skip,
    encoding: sniffed.encoding,
    quote: sniffed.quote,
    written: { ...sniffed.written, ...writing, columns: withChosen(sniffed.written.columns, ofColumns) },
    records: chosen.records === undefined ? (paths[0] ?? null) : chosen.records,
    quarantine: chosen.quarantine ?? false,
    sheet: chosen.sheet ?? null,
    table: chosen.table ?? tableNames?.[0] ?? null,
  }
  const readable = mayRead && (!isDatabase || read.table !== null) && !sheetStart.isLoading
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
    choose: (change: typeof chosen) => setChosen((before) => ({ ...before, ...change })),
    write: (change: typeof writing) => setWriting((before) => ({ ...before, ...change })),
    /** Null: as its file. */
    writeColumn: (name: string, as: ColumnWriting | null) => setOfColumns((before) => ({ ...before, [name]: as })),
    /** What of the file may be read in two ways, while nobody has said which. */
    unclear: {
      number: sniffed.written.unclear.number,
      day: writing.date === undefined && writing.datetime === undefined ? sniffed.written.unclear.day : null,
    },
    ragged: sniffed.ragged,
    /** The line of the first sum below the rows. */
    totals: sniffed.totals,
    columnNames: sniffed.names,
    recordPaths: paths,
    upload,
    tables: tableNames,
    tablesFailure: tables.data?.stages[0]?.error ?? tables.error,
    sheets: sheets.data ?? null,
    rows,
    taskName: given.task ?? freeName(wanted, taken.data ?? new Set()),
    connectorName: given.connector ?? freeName(wantedConnector, connectorNames),
    give: (change: typeof given) => setGiven((before) => ({ ...before, ...change })),
    /** The next file of a browser is looked for where this one was. */
    remember: () => {
      if (file.path === null && place && !upload.isOn) rememberFolder(place.folder)
    },
  }
}
export type DataChoice = ReturnType<typeof useDataChoice>
