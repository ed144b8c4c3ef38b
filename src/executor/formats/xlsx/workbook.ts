import { nearest } from '../../../language/nearest.ts'
import { EngineError, fewNames } from '../../engine/errors.ts'
import { numberFormatKind, type FormatKind } from './dates.ts'
import { createSharedStrings, type SharedStrings } from './strings.ts'
import { attribute, readXml } from './xml.ts'
import { ZipError, type ZipArchive } from './zip.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** What the cells of a sheet refer to. */
export interface Workbook {
  sheetPart: string
  sheetName: string
  date1904: boolean
  strings: SharedStrings
  /** By the number of a cell's style: how its number is shown. */
  formats: FormatKind[]
}

/** `label`: the file, for messages. */
export async function openWorkbook(
  archive: ZipArchive,
  wanted: string | null,
  label: string,
  spillTo: string,
): Promise<Workbook> {
  const main = await mainPart(archive)
  const relations = await readRelations(archive, main)
  const sheets: { name: string; part: string }[] = []
  let date1904 = false
  await readXml(archive.read(main), {
    open(name, attributes) {
      if (name === 'workbookPr') date1904 = /^(1|true)$/.test(attribute(attributes, 'date1904') ?? '')
      if (name !== 'sheet') return
      const relation = relations.get(attribute(attributes, '*:id') ?? '')
      const title = attribute(attributes, 'name')
      if (relation?.type === 'worksheet' && title !== undefined) sheets.push({ name: title, part: relation.part })
    },
  })
  const sheet = chooseSheet(sheets, wanted, label)
  // A part that is named must be there: without its styles a workbook has no dates.
  const partOf = (type: string): string | undefined =>
    [...relations.values()].find((relation) => relation.type === type)?.part
  const formats = await readFormats(archive, partOf('styles'))
  const strings = createSharedStrings(spillTo)
  try {
    await readStrings(archive, partOf('sharedStrings'), strings)
  } catch (error) {
    strings.close()
    throw error
  }
  return { sheetPart: sheet.part, sheetName: sheet.name, date1904, strings, formats }
}

function chooseSheet(
  sheets: readonly { name: string; part: string }[],
  wanted: string | null,
  label: string,
): { name: string; part: string } {
  const found = wanted === null ? sheets[0] : sheets.find((sheet) => sheet.name.toLowerCase() === wanted.toLowerCase())
  if (found) return found
  const names = sheets.map((sheet) => sheet.name)
  if (wanted === null) throw new ZipError('it holds no sheet')
  const near = nearest(wanted, names)
  throw new EngineError('FILE_UNREADABLE', runMessage('sheet_unknown', { file: label, sheet: wanted }), {
    hint:
      near === null
        ? runMessage('sheets_are', { sheets: fewNames(names, 20) })
        : runMessage('sheets_are_near', { near, sheets: fewNames(names, 20) }),
  })
}

async function mainPart(archive: ZipArchive): Promise<string> {
  const relations = await readRelations(archive, '')
  const main = [...relations.values()].find((relation) => relation.type === 'officeDocument')?.part ?? 'xl/workbook.xml'
  if (archive.has(main)) return main
  throw new ZipError(
    archive.has('xl/workbook.bin') ? 'it is a binary workbook (.xlsb); save it as .xlsx' : 'it holds no workbook',
  )
}

interface Relation {
  /** The end of its type's address. */
  type: string
  part: string
}

async function readRelations(archive: ZipArchive, part: string): Promise<Map<string, Relation>> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const list = `${folder}_rels/${part.slice(folder.length)}.rels`
  const relations = new Map<string, Relation>()
  if (!archive.has(list)) return relations
  await readXml(archive.read(list), {
    open(name, attributes) {
      if (name !== 'Relationship') return
      const [id, type, target] = ['Id', 'Type', 'Target'].map((key) => attribute(attributes, key))
      if (id === undefined || type === undefined || target === undefined) return
      relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), part: partOf(folder, target) })
    },
  })
  return relations
}

function partOf(folder: string, target: string): string {
  const names: string[] = []
  for (const name of (target.startsWith('/') ? target.slice(1) : folder + target).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '.' && name !== '') names.push(name)
  }
  return names.join('/')
}

async function readFormats(archive: ZipArchive, part: string | undefined): Promise<FormatKind[]> {
  const custom = new Map<number, string>()
  const styles: number[] = []
  let inCells = false
  if (part === undefined) return []
  await readXml(archive.read(part), {
    open(name, attributes) {
      if (name === 'numFmt')
        custom.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '')
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) styles.push(Number(attribute(attributes, 'numFmtId') ?? 0))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return styles.map((id) => numberFormatKind(id, custom.get(id)))
}

async function readStrings(archive: ZipArchive, part: string | undefined, strings: SharedStrings): Promise<void> {
  if (part === undefined) return
  let text = ''
  let inText = false
  let phonetic = false
  await readXml(archive.read(part), {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') phonetic = true
      else if (name === 't') inText = !phonetic
    },
    text(words) {
      if (inText) text += words
    },
    close(name) {
      if (name === 't') inText = false
      else if (name === 'rPh') phonetic = false
      else if (name === 'si') strings.add(text)
    },
  })
}
