import { open, type FileHandle } from 'node:fs/promises'
import { cancelled } from '../../engine/duckdb.ts'
import { openFile } from '../../engine/open-file.ts'
import { i32, i64, list, struct, text, type Packed } from './compact.ts'

const repetitions = ['REQUIRED', 'OPTIONAL', 'REPEATED']
const codecs = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'LZO', 'BROTLI', 'LZ4', 'ZSTD', 'LZ4_RAW']

/** Values as they are stored, whatever they stand for. */
export interface RawColumn {
  /** `REQUIRED`, `OPTIONAL`, or `REPEATED`, from the top down to the values. */
  levels: readonly string[]
  type: 'INT64' | 'INT96'
}

/** The pages of a column in a row group. */
export interface RawChunk {
  codec: string
  values: number
  /** Where its data begins; null: it has no dictionary. */
  data: number
  dictionary: number | null
  bytes: number
  unpackedBytes: number
}

export interface RawGroup {
  file: string
  rows: number
  /** As many as there are columns. */
  chunks: readonly RawChunk[]
}

/** 8 bytes are a BIGINT, and 12 bytes an INTERVAL of three numbers: DuckDB has no other type that shows all of them unchanged. */
const stored = {
  INT64: { 1: i32(2) },
  INT96: { 1: i32(7), 2: i32(12), 6: i32(21) },
} as const

/** Copies pages into a Parquet file with the columns `c0`, `c1` and so on. Levels inside of a column are called `v`. */
export async function writeRawColumns(
  path: string,
  columns: readonly RawColumn[],
  groups: readonly RawGroup[],
  signal: AbortSignal,
): Promise<void> {
  const to = await open(path, 'wx')
  try {
    let end = (await to.write(magic, 0, magic.length, 0)).bytesWritten
    const written: Packed[] = []
    for (const { file, rows, chunks } of groups) {
      const from = await openFile(file)
      try {
        const packed: Packed[] = []
        for (const [at, chunk] of chunks.entries()) {
          await copy(from, startOf(chunk), to, end, chunk.bytes, signal)
          packed.push(chunkAt(chunk, end, columns[at]))
          end += chunk.bytes
        }
        written.push(struct({ 1: list(packed), 2: i64(0), 3: i64(rows) }))
      } finally {
        await from.close()
      }
    }
    const rows = groups.reduce((sum, group) => sum + group.rows, 0)
    const { bytes } = struct({ 1: i32(1), 2: list(schemaOf(columns)), 3: i64(rows), 4: list(written) })
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    await to.writev([bytes, length, magic], end)
  } finally {
    await to.close()
  }
}

const magic = Buffer.from('PAR1')

function schemaOf(columns: readonly RawColumn[]): Packed[] {
  const root = struct({ 4: text('root'), 5: i32(columns.length) })
  const fields = columns.flatMap(({ levels, type }, nth) =>
    levels.map((level, depth) =>
      struct({
        ...(depth === levels.length - 1 ? stored[type] : { 5: i32(1) }),
        3: i32(repetitions.indexOf(level)),
        4: text(depth === 0 ? `c${nth}` : 'v'),
      }),
    ),
  )
  return [root, ...fields]
}

/** As DuckDB does: the data follows the dictionary. */
const startOf = ({ data, dictionary }: RawChunk): number => dictionary ?? data

function chunkAt(chunk: RawChunk, at: number, column: RawColumn | undefined): Packed {
  const metadata = struct({
    1: column && stored[column.type][1],
    2: list([]),
    3: list([]),
    4: i32(codecs.indexOf(chunk.codec)),
    5: i64(chunk.values),
    6: i64(chunk.unpackedBytes),
    7: i64(chunk.bytes),
    9: i64(at + chunk.data - startOf(chunk)),
    11: chunk.dictionary === null ? undefined : i64(at),
  })
  return struct({ 2: i64(at), 3: metadata })
}

const pieceBytes = 1024 * 1024

async function copy(
  from: FileHandle,
  start: number,
  to: FileHandle,
  at: number,
  bytes: number,
  signal: AbortSignal,
): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.min(bytes, pieceBytes))
  for (let done = 0; done < bytes;) {
    if (signal.aborted) throw cancelled()
    const { bytesRead } = await from.read(piece, 0, Math.min(piece.length, bytes - done), start + done)
    if (bytesRead === 0) throw new RangeError('the file ends')
    await to.write(piece, 0, bytesRead, at + done)
    done += bytesRead
  }
}
