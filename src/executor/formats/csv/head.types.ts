import type { Column } from '../../../contract/common.ts'
import type { FilesSource } from '../../../language/task/sources/source.types.ts'
import type { CsvRow } from './rows.ts'

/** Where the rows of a CSV file begin, and how they end. */
export interface CsvHead {
  /** Lines in front of the header, or of the first row: those of `skip_lines`, and empty ones in front of a header. */
  skip: number
  /** What ends the header, or the first row: DuckDB takes the first line end for it, wherever that stands. '': nothing does. */
  end: CsvRow['end']
  /** The header, or the first row, as it is written; null: there is none, it is too long for that, or nothing ends it. */
  text: string | null
  /** How many values it has. */
  values: number
  /** Nothing stands behind it. */
  isAlone: boolean
  /** No row can be longer, in bytes. */
  longest: number
  /** There is neither a header nor a row. */
  isEmpty: boolean
}

/** A source whose files were looked at. */
export interface HeadedSource extends FilesSource {
  /** By their files; absent: they are not CSV. */
  heads?: ReadonlyMap<string, CsvHead>
  /** The columns of each file, where DuckDB doesn't match files by name; absent: it does. */
  own?: ReadonlyMap<string, readonly Column[]>
}
