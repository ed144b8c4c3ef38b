import ExcelJS from 'exceljs'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gunzipSync, gzipSync } from 'node:zlib'
import { rowsTo, type Row } from '../rows.ts'
import { withDuckDb, type World } from '../world.ts'
import type { SourceSpec } from './source.types.ts'

/** Files as other programs write them. */
export const fileFormats = ['csv', 'csv.gz', 'jsonl', 'json', 'parquet', 'xlsx'] as const
export type FileFormat = (typeof fileFormats)[number]

const json = ({ id, name, amount, code }: Row): string => JSON.stringify({ id, name, amount, code })

const writers: Record<FileFormat, (rows: Row[], world: World) => Promise<Buffer>> = {
  csv: async (rows) => csv(rows),
  'csv.gz': async (rows) => gzipSync(csv(rows), { level: 1 }),
  jsonl: async (rows) => Buffer.from(rows.map((row) => `${json(row)}\n`).join(''), 'latin1'),
  json: async (rows) => Buffer.from(`[\n${rows.map(json).join(',\n')}\n]\n`, 'latin1'),
  async parquet(rows, { folder }) {
    const path = join(folder, `made-${rows.length}-${Math.random()}.parquet`)
    const text = join(folder, `${Math.random()}.csv`)
    const { writeFileSync } = await import('node:fs')
    writeFileSync(text, csv(rows))
    await withDuckDb(':memory:', (connection) =>
      connection.run(
        `COPY (SELECT * FROM read_csv('${text}', columns = {id: 'BIGINT', name: 'VARCHAR', amount: 'INTEGER', code: 'VARCHAR'}))
         TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 20480)`,
      ),
    )
    return readFileSync(path)
  },
  async xlsx(rows) {
    const book = new ExcelJS.Workbook()
    const sheet = book.addWorksheet('Sheet1')
    sheet.addRow(['id', 'name', 'amount', 'code'])
    for (const { id, name, amount, code } of rows) sheet.addRow([id, name, amount, code])
    return Buffer.from(await book.xlsx.writeBuffer())
  },
}

function csv(rows: Row[]): Buffer {
  const lines = rows.map(({ id, name, amount, code }) => `${id},${name},${amount},${code}\n`)
  // Latin-1, so that a byte that is no UTF-8 can be among them.
  return Buffer.from(`id,name,amount,code\n${lines.join('')}`, 'latin1')
}

/** The bytes of a file, with what is to be wrong with it. */
export async function fileBody(world: World, format: FileFormat, { rows, harm }: SourceSpec): Promise<Buffer> {
  const row = harm !== null && 'row' in harm ? harm.row : 0
  const whole = await world.once(`${format} ${rows} ${harm?.kind === 'truncated' ? '' : harm?.kind} ${row}`, () => {
    const all = [...rowsTo(rows)]
    const harmed = all[row - 1]
    if (harmed && harm?.kind === 'bad value') harmed.code = 'oops'
    if (harmed && harm?.kind === 'invalid bytes') harmed.name = 'caf\u{E9} \u{C3}('
    return writers[format](all, world)
  })
  return harm?.kind === 'truncated' ? truncated(whole, format, harm.share) : whole
}

/** Ends inside a value, so that what is left cannot be taken for a whole file; the last of three ends only just before the end. */
function truncated(whole: Buffer, format: FileFormat, share: number): Buffer {
  if (format === 'csv.gz' && share > 0.1 && share < 0.9) return cutAtRowEnd(whole, share)
  if (format !== 'csv' && format !== 'jsonl') return whole.subarray(0, lastBut(whole.length, share))
  // Behind a line's first value: the rest of its values are missing.
  const end = whole.lastIndexOf(format === 'csv' ? '\n' : '{', lastBut(whole.length, share) - 1)
  const from = share > 0.9 ? whole.lastIndexOf(format === 'csv' ? '\n' : '{', whole.length - 2) : end
  return whole.subarray(0, from + 4)
}

/** What is unpacked ends with a row, and nothing in it shows that there was more: only the archive's own end is missing. */
function cutAtRowEnd(whole: Buffer, share: number): Buffer {
  const text = gunzipSync(whole)
  const end = text.lastIndexOf('\n', Math.floor(text.length * share)) + 1
  return gzipSync(text.subarray(0, end), { finishFlush: constants.Z_SYNC_FLUSH })
}

const lastBut = (length: number, share: number): number => (share > 0.9 ? length - 6 : Math.floor(length * share))

/** `files: …` of a source. */
export function filesYaml(file: string, format: FileFormat, typed: boolean): string {
  return `{connector: in, files: {glob: ${file}, format: ${format.replace('.gz', '')}, columns: {code: ${typed ? 'integer' : 'string'}}}}`
}
