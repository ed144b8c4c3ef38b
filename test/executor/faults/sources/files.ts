import { PutObjectCommand } from '@aws-sdk/client-s3'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BoundConnector } from '../../../../src/contract/executor-protocol.ts'
import { fileConnector } from '../../engine/run-task.ts'
import { s3Connector, sftpConnector } from '../connectors.ts'
import type { Server } from '../machine.ts'
import type { World } from '../world.ts'
import { fileBody, fileFormats, filesYaml, type FileFormat } from './file-bodies.ts'
import type { Harm, OpenedSource, SourceKind, SourceSpec } from './source.types.ts'

const text: ReadonlySet<FileFormat> = new Set(['csv', 'csv.gz', 'jsonl', 'json'])
const harmsOf = (format: FileFormat): Harm['kind'][] => [
  'bad value',
  'truncated',
  ...(text.has(format) ? (['invalid bytes'] as const) : []),
]

const nameOf = ({ rows, harm }: SourceSpec, format: FileFormat): string => {
  const what = harm === null ? 'good' : harm.kind.replace(' ', '-')
  const where = harm === null ? '' : `-${'row' in harm ? harm.row : harm.share}`
  return `items-${rows}-${what}${where}.${format}`
}

/** Where a message has to lead: to the file, and to the line where it has lines; to the column and its value where a cast met it. */
function placeOf(file: string, format: FileFormat, { harm }: SourceSpec): RegExp {
  const name = file.replaceAll('.', String.raw`\.`)
  if (harm === null || !('row' in harm)) return new RegExp(name)
  if (!format.startsWith('csv')) return new RegExp(`${name}|code.*oops`)
  return new RegExp(String.raw`${name}, line ${harm.row + 1}\b`)
}

/** What is read fastest is read in full. */
const rowsOf: Record<FileFormat, number> = {
  csv: 200_000,
  'csv.gz': 60_000,
  jsonl: 100_000,
  json: 60_000,
  parquet: 200_000,
  xlsx: 6_000,
}

const local: SourceKind[] = fileFormats.map((format) => ({
  name: format,
  rows: rowsOf[format],
  harms: harmsOf(format),
  remote: false,
  async open(world, spec): Promise<OpenedSource> {
    const folder = join(world.folder, 'files')
    mkdirSync(folder, { recursive: true })
    const file = nameOf(spec, format)
    await world.once(join(folder, file), async () =>
      writeFileSync(join(folder, file), await fileBody(world, format, spec)),
    )
    return {
      connector: fileConnector(folder),
      yaml: filesYaml(file, format, spec.typed),
      place: placeOf(file, format, spec),
    }
  },
}))

const stored = (
  name: string,
  server: Server,
  format: FileFormat,
  connectorOf: (world: World) => Promise<{ port: number; bound(port: number): BoundConnector }>,
  put: (world: World, file: string, body: Buffer) => Promise<void>,
): SourceKind => ({
  name,
  server,
  rows: 60_000,
  harms: harmsOf(format),
  staged: true,
  remote: true,
  async open(world, spec) {
    const { port, bound } = await connectorOf(world)
    const file = nameOf(spec, format)
    await world.once(`${name} ${file}`, async () => put(world, file, await fileBody(world, format, spec)))
    return {
      connector: bound(port),
      yaml: filesYaml(file, format, spec.typed),
      place: placeOf(file, format, spec),
      link: { port, through: bound },
    }
  },
})

const s3 = stored(
  's3',
  'MinIO',
  'csv',
  async (world) => {
    const minio = await world.minio()
    return { port: minio.port, bound: (port) => s3Connector(minio, port) }
  },
  async (world, Key, Body) => {
    const { client, bucket } = await world.minio()
    await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
  },
)

const sftp = stored(
  'sftp',
  'sshd',
  'jsonl',
  async (world) => {
    const server = await world.sshd()
    return { port: server.port, bound: (port) => sftpConnector(server, port) }
  },
  async (world, file, body) => writeFileSync(join((await world.sshd()).folder, file), body),
)

export const fileSources: readonly SourceKind[] = [...local, s3, sftp]
