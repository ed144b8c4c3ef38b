import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createZipWriter } from '../../../src/executor/formats/xlsx/zip-writer.ts'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

const rows = 100_000
const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
const relations = (list: string): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list}</Relationships>`
const row = (n: number): string =>
  `<row r="${n + 2}"><c r="A${n + 2}"><v>${n}</v></c><c r="B${n + 2}" t="s"><v>${n % 100}</v></c></row>`
const parts = {
  '_rels/.rels': relations(relation('r1', 'officeDocument', 'xl/workbook.xml')),
  'xl/workbook.xml': '<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': relations(
    relation('r1', 'worksheet', 'worksheets/sheet1.xml') +
      relation('r2', 'sharedStrings', 'sharedStrings.xml') +
      relation('r3', 'styles', 'styles.xml'),
  ),
  'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>id</t></is></c><c t="inlineStr"><is><t>text</t></is></c></row>${Array.from({ length: rows }, (_, n) => row(n)).join('')}</sheetData></worksheet>`,
  'xl/sharedStrings.xml': `<sst>${Array.from({ length: 100 }, (_, n) => `<si><t>text ${n}</t></si>`).join('')}</sst>`,
  'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/></cellXfs></styleSheet>',
}
type Part = keyof typeof parts

/** A sound archive with these parts. */
async function workbook(changed: Partial<Record<Part, string | null>> = {}): Promise<Buffer> {
  const path = join(temporaryFolder(), 'made.xlsx')
  const handle = await open(path, 'w')
  const zip = createZipWriter(handle)
  for (const [part, text] of Object.entries({ ...parts, ...changed })) if (text !== null) await zip.add(part, [text])
  await zip.finish()
  await handle.close()
  return readFile(path)
}

async function read(bytes: Buffer) {
  const folder = temporaryFolder()
  await writeFile(join(folder, 'a.xlsx'), bytes)
  return runTask(
    `etl: 1
kind: pipeline
name: read
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: a.xlsx}}
target: {connector: out, file: {path: out.jsonl}}
`,
    { in: fileConnector(folder), out: fileConnector(folder) },
  )
}

/** Why a run refused its workbook. */
async function refusal(bytes: Buffer): Promise<string> {
  const { error, item_count } = await read(bytes)
  const [, why] = /^a\.xlsx cannot be read as an Excel workbook: (.*)$/s.exec(error?.message ?? '') ?? []
  if (error?.code !== 'FILE_UNREADABLE' || error.step !== 'source' || why === undefined)
    throw new Error(`It was not refused: ${JSON.stringify(error ?? item_count)}`)
  return why
}

it('a sound workbook is read whole', async () => {
  expect(await read(await workbook())).toMatchObject({ status: 'success', item_count: rows })
})

describe('a sheet whose XML ends early, in a sound archive, is refused when it', () => {
  const sheet = parts['xl/worksheets/sheet1.xml']
  const half = sheet.indexOf(row(rows / 2))
  it.each([
    ['ends between two rows', sheet.slice(0, half)],
    ['ends behind its last row', sheet.slice(0, sheet.indexOf('</sheetData>'))],
    ['ends before its outermost element does', sheet.slice(0, sheet.indexOf('</worksheet>'))],
    ['ends within a row', sheet.slice(0, half + 20)],
    ['ends behind a cell', sheet.slice(0, sheet.indexOf('</c>', half) + 4)],
    ['ends within a tag', sheet.slice(0, half + 3)],
    ['ends behind its declaration', sheet.slice(0, sheet.indexOf('?>') + 2)],
    ['is empty', ''],
    ['lacks an end in its middle', sheet.slice(0, half).replace(/<\/row>$/, '') + sheet.slice(half)],
    ['closes what is not open', sheet.replace('</worksheet>', '</row></worksheet>')],
  ])('%s', async (_, text) => {
    expect(await refusal(await workbook({ 'xl/worksheets/sheet1.xml': text }))).toMatch(
      /ends before|ends within|ends where|is empty|not closed/,
    )
  })
})

it.each<[string, Part]>([
  ['texts', 'xl/sharedStrings.xml'],
  ['styles', 'xl/styles.xml'],
  ['list of sheets', 'xl/workbook.xml'],
  ['relations', 'xl/_rels/workbook.xml.rels'],
])('a workbook whose %s end early, or are missing, is refused', async (_, part) => {
  const cut = parts[part].replace(/<\/[^<]*$/, '')
  expect(await refusal(await workbook({ [part]: cut }))).toMatch(/ends before/)
  expect(await refusal(await workbook({ [part]: null }))).toMatch(/is missing|holds no/)
})

describe('an archive', () => {
  it('is refused wherever it is cut', async () => {
    const bytes = await workbook()
    for (const end of [0, 10, 1000, bytes.length / 2, bytes.length - 300, bytes.length - 22, bytes.length - 1]) {
      expect(await refusal(bytes.subarray(0, end))).toMatch(
        /it is no ZIP archive|list of parts is damaged|ends too early/,
      )
    }
  })

  /** The entry of the sheet in the list of parts, with one of its numbers changed. */
  const changed = async (at: number, change: (value: number) => number): Promise<Buffer> => {
    const bytes = await workbook()
    const entry = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46
    bytes.writeUInt32LE(change(bytes.readUInt32LE(entry + at)), entry + at)
    return bytes
  }
  it.each<[string, number, (value: number) => number]>([
    ['another checksum', 16, (crc) => (crc ^ 1) >>> 0],
    ['a size that is too small', 20, (size) => size - 1000],
    ['a size that is too large', 24, (size) => size + 1],
    ['another place', 42, (place) => place + 7],
  ])('with %s is refused', async (_, at, change) => {
    expect(await refusal(await changed(at, change))).toMatch(/damaged|unexpected end of file/)
  })

  it('whose list counts fewer parts than it holds is refused', async () => {
    const bytes = await workbook()
    const end = bytes.length - 22
    bytes.writeUInt16LE(bytes.readUInt16LE(end + 10) - 1, end + 10)
    expect(await refusal(bytes)).toMatch(/list of parts is damaged/)
  })

  it('in the form for large files is read, and refused where its own end is damaged', async () => {
    const bytes = await workbook()
    const end = bytes.length - 22
    const wide = Buffer.alloc(56 + 20)
    wide.writeUInt32LE(0x06064b50, 0)
    wide.writeBigUInt64LE(44n, 4)
    wide.writeBigUInt64LE(BigInt(bytes.readUInt16LE(end + 10)), 32)
    wide.writeBigUInt64LE(BigInt(bytes.readUInt32LE(end + 12)), 40)
    wide.writeBigUInt64LE(BigInt(bytes.readUInt32LE(end + 16)), 48)
    wide.writeUInt32LE(0x07064b50, 56)
    wide.writeBigUInt64LE(BigInt(end), 64)
    const tail = Buffer.from(bytes.subarray(end))
    tail.writeUInt32LE(0xffffffff, 12)
    tail.writeUInt32LE(0xffffffff, 16)
    const large = Buffer.concat([bytes.subarray(0, end), wide, tail])
    expect(await read(large)).toMatchObject({ status: 'success', item_count: rows })
    const damaged = Buffer.from(large)
    damaged.writeBigUInt64LE(BigInt(end - 5), end + 64)
    expect(await refusal(damaged)).toMatch(/list of parts is damaged/)
  })
})
