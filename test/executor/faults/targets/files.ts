import {
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import ExcelJS from 'exceljs'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BoundConnector } from '../../../../src/contract/executor-protocol.ts'
import { fileConnector, temporaryFolder } from '../../engine/run-task.ts'
import { s3Connector, sftpConnector } from '../connectors.ts'
import { lineOf, rowsBefore, type Row } from '../rows.ts'
import { textsOf, withDuckDb } from '../world.ts'
import type { TargetKind } from './target.types.ts'

type Format = 'csv' | 'jsonl' | 'json' | 'parquet' | 'xlsx'

const parsed = (text: string): Row => JSON.parse(text) as Row // as the engine was told to write it

/** The lines of a file, read by other programs than the engine. */
const readers: Record<Format, (path: string) => Promise<string[]>> = {
  csv: async (path) =>
    split(path)
      .slice(1)
      .map((text) => text.replaceAll(',', '|')),
  jsonl: async (path) => split(path).map((text) => lineOf(parsed(text))),
  json: async (path) => (JSON.parse(readFileSync(path, 'utf8')) as Row[]).map(lineOf),
  parquet: (path) => textsOf(':memory:', `SELECT id || '|' || name || '|' || amount || '|' || code FROM '${path}'`),
  async xlsx(path) {
    const book = new ExcelJS.Workbook()
    await book.xlsx.readFile(path)
    const lines: string[] = []
    book.worksheets[0]?.eachRow((row, number) => {
      if (number > 1) lines.push([1, 2, 3, 4].map((column) => row.getCell(column).text).join('|'))
    })
    return lines
  },
}

const split = (path: string): string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean)

/** The file that is there before. */
async function writeBefore(path: string, format: Format): Promise<void> {
  if (format === 'csv')
    writeFileSync(
      path,
      `id,name,amount,code\n${rowsBefore.map((row) => `${lineOf(row).replaceAll('|', ',')}\n`).join('')}`,
    )
  if (format === 'jsonl') writeFileSync(path, rowsBefore.map((row) => `${JSON.stringify(row)}\n`).join(''))
  if (format === 'json') writeFileSync(path, JSON.stringify(rowsBefore))
  if (format === 'parquet') {
    const values = rowsBefore.map((row) => `(${row.id}, '${row.name}', ${row.amount}, ${row.code})`).join(', ')
    const rows = `SELECT * FROM (VALUES ${values}) AS v(id, name, amount, code)`
    await withDuckDb(':memory:', (connection) => connection.run(`COPY (${rows}) TO '${path}' (FORMAT parquet)`))
  }
  if (format === 'xlsx') {
    const book = new ExcelJS.Workbook()
    book
      .addWorksheet('Sheet1')
      .addRows([['id', 'name', 'amount', 'code'], ...rowsBefore.map((row) => Object.values(row))])
    await book.xlsx.writeFile(path)
  }
}

const fileYaml = (path: string): string => `{connector: out, file: {path: ${path}}}`

const local: TargetKind[] = (['csv', 'jsonl', 'json', 'parquet', 'xlsx'] as const).map((format) => ({
  name: format,
  modes: ['replace'],
  rows: () => (format === 'xlsx' ? 6_000 : 200_000),
  remote: false,
  onDisk: true,
  async open(_world, { folder = temporaryFolder() }) {
    const file = `out.${format}`
    await writeBefore(join(folder, file), format)
    return {
      connector: fileConnector(folder),
      yaml: fileYaml(file),
      look: async () => ({
        places: readdirSync(folder).toSorted(),
        lines: await readers[format](join(folder, file)),
      }),
    }
  },
}))

const sftp: TargetKind = {
  name: 'sftp',
  server: 'sshd',
  staged: true,
  lasting: /^\.out\.csv\..+\.part$/,
  modes: ['replace'],
  rows: () => 60_000,
  remote: true,
  onDisk: true,
  fullCode: 'FILE_UNWRITABLE',
  async open(world, spec) {
    const server = await world.sshd()
    const folder = spec.folder ?? mkdtempSync(join(server.folder, 'target-'))
    await writeBefore(join(folder, 'out.csv'), 'csv')
    const bound = (port: number): BoundConnector => sftpConnector(server, port, folder)
    return {
      connector: bound(server.port),
      yaml: fileYaml('out.csv'),
      look: async () => ({
        places: readdirSync(folder).toSorted(),
        lines: await readers.csv(join(folder, 'out.csv')),
      }),
      link: { port: server.port, through: bound },
    }
  },
}

let prefixes = 0

const s3: TargetKind = {
  name: 's3',
  server: 'MinIO',
  staged: true,
  lasting: /^upload of /,
  modes: ['replace'],
  // More than goes up in one part.
  rows: () => 150_000,
  remote: true,
  async open(world) {
    const minio = await world.minio()
    const { client, bucket: Bucket } = minio
    const [prefix, folder] = [`target-${++prefixes}`, temporaryFolder()]
    const [Key, local] = [`${prefix}/out.jsonl`, join(folder, 'out.jsonl')]
    mkdirSync(folder, { recursive: true })
    await writeBefore(local, 'jsonl')
    await client.send(new PutObjectCommand({ Bucket, Key, Body: readFileSync(local) }))
    const bound = (port: number): BoundConnector => s3Connector(minio, port)
    return {
      connector: bound(minio.port),
      yaml: fileYaml(Key),
      async look() {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
        writeFileSync(local, (await Body?.transformToByteArray()) ?? '')
        const { Contents } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }))
        const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }))
        const places = [
          ...(Contents ?? []).map((object) => object.Key ?? ''),
          ...(Uploads ?? []).map((upload) => `upload of ${upload.Key}`),
        ]
        return { places, lines: await readers.jsonl(local) }
      },
      link: { port: minio.port, through: bound },
    }
  },
}

export const fileTargets: readonly TargetKind[] = [...local, s3, sftp]
