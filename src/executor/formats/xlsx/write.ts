import { open } from 'node:fs/promises'
import { EngineError } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { name } from '../../engine/sql-text.ts'
import type { RowStream } from '../../engine/stream.ts'
import { columnValues } from '../../engine/vectors.ts'
import { columnLetters } from './columns.ts'
import { textValue } from '../../targets/encode.ts'
import { PartTooLarge, createZipWriter } from './zip-writer.ts'
import { cellEncoder, escapeXml, headerStyle, styles, type CellEncoder } from './cells.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** What Excel can hold. */
const mostRows = 1_048_576
const mostColumns = 16_384

/** One sheet, the columns' names in its first row. The number of rows written. */
export async function writeXlsx(
  stream: RowStream,
  local: string,
  sheet: string,
  context: StageContext,
): Promise<number> {
  if (stream.columns.length > mostColumns) throw tooMany('columns', mostColumns)
  if (stream.rows !== null && stream.rows >= mostRows) throw tooMany('rows below the header', mostRows - 1)
  const handle = await open(local, 'w')
  try {
    const zip = createZipWriter(handle)
    for (const [part, content] of Object.entries(frame(sheet))) await zip.add(part, [content])
    let rows = 0
    const counted = (written: number): void => void (rows = written)
    await zip.add('xl/worksheets/sheet1.xml', sheetXml(stream, context, counted)).catch((error: unknown) => {
      throw error instanceof PartTooLarge ? tooLarge() : error
    })
    await zip.finish()
    return rows
  } finally {
    await handle.close()
  }
}

async function* sheetXml(
  stream: RowStream,
  { session }: StageContext,
  counted: (rows: number) => void,
): AsyncGenerator<string> {
  const { columns } = stream
  const encoders = columns.map((column): CellEncoder => cellEncoder(column))
  const letters = columns.map((_, index) => columnLetters(index))
  const header = columns.map(
    (column, index) =>
      `<c r="${letters[index]}1" s="${headerStyle}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(column.name)}</t></is></c>`,
  )
  yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData><row r="1">${header.join('')}</row>`
  const fields = columns.map((column) => `${textValue(column)} AS ${name(column.name)}`).join(', ')
  let number = 1
  for await (const chunk of session.chunks(`SELECT ${fields} FROM (${stream.sql})`)) {
    if (number + chunk.rowCount > mostRows) throw tooMany('rows below the header', mostRows - 1)
    const values = columns.map((_, index) => columnValues(chunk, index))
    const rows: string[] = []
    for (let row = 0; row < chunk.rowCount; row++) {
      number++
      let cells = ''
      for (const [index, encode] of encoders.entries()) {
        const value = values[index]?.[row]
        if (value === null || value === undefined) continue
        cells += `<c r="${letters[index]}${number}"${encode(String(value), number)}`
      }
      rows.push(`<row r="${number}">${cells}</row>`)
    }
    yield rows.join('')
  }
  counted(number - 1)
  yield '</sheetData></worksheet>'
}

function tooMany(what: string, most: number): EngineError {
  return new EngineError('FILE_UNWRITABLE', runMessage('sheet_full', { most, what }), {
    hint: runMessage('sheet_full_fix'),
  })
}

function tooLarge(): EngineError {
  return new EngineError('FILE_UNWRITABLE', runMessage('sheet_too_large'), {
    hint: runMessage('sheet_too_large_fix'),
  })
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const sheetTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Every part but the sheet itself. */
function frame(sheet: string): Record<string, string> {
  return {
    '[Content_Types].xml': `${declaration}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetTypes}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetTypes}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetTypes}.styles+xml"/></Types>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escapeXml(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${declaration}<styleSheet xmlns="${main}">${styles}</styleSheet>`,
  }
}
