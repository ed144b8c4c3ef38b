import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { randomBytes } from 'node:crypto'
import type { FileTarget } from '../../language/task/task.types.ts'
import { refuseReadOnly } from '../connectors/config.ts'
import { fileToWrite, folderOf } from '../connectors/file-paths.ts'
import { EngineError, codeOf, messageOf } from '../engine/errors.ts'
import type { TargetRunner } from '../engine/lane.types.ts'
import { name, text } from '../engine/sql-text.ts'
import type { RowStream } from '../engine/stream.ts'
import { parquetValue } from './encode.ts'

/** Written beside the file and then renamed onto it: readers see the old file or the new one, whole. */
export const fileTarget: TargetRunner<'file'> = {
  kind: 'file',
  directories: async (target, connector) => [await folderOf(connector(target.connector))],
  async write(target, stream, context) {
    const connector = context.connector(target.connector)
    refuseReadOnly(connector)
    const file = await fileToWrite(await folderOf(connector), target.path, connector)
    const part = join(dirname(file), `.${basename(file)}.${process.pid}-${randomBytes(4).toString('hex')}.part`)
    try {
      await mkdir(dirname(file), { recursive: true })
      await removeAbandoned(file)
      const rows = await context.consume(stream, async () => {
        const count = await context.session.run(copySql(target, stream, part))
        return { rows: count, value: count }
      })
      await flush(part)
      const bytes = (await stat(part)).size
      await rename(part, file)
      if (process.platform !== 'win32') await flushFolder(dirname(file))
      const size = bytes.toLocaleString('en')
      return {
        rows,
        changed: rows,
        bytes,
        summary: `Wrote ${rows.toLocaleString('en')} rows to ${target.path} (${size} bytes)`,
      }
    } catch (error) {
      throw fileError(error, file)
    } finally {
      await rm(part, { force: true })
    }
  },
}

function copySql(target: FileTarget, stream: RowStream, part: string): string {
  const fields = stream.columns
    .map(target.format === 'parquet' ? parquetValue : ({ name: column }) => name(column))
    .join(', ')
  return `COPY (SELECT ${fields} FROM (${stream.sql})) TO ${text(part)} (${options(target).join(', ')}, USE_TMP_FILE false)`
}

function options({ format, csv, compression }: FileTarget): string[] {
  if (format === 'parquet')
    return ['FORMAT parquet', `COMPRESSION ${compression === 'none' ? 'uncompressed' : compression}`]
  const packed = `COMPRESSION ${compression === 'snappy' ? 'none' : compression}`
  if (format === 'json') return ['FORMAT json', 'ARRAY true', packed]
  if (format === 'jsonl') return ['FORMAT json', 'ARRAY false', packed]
  if (!csv) throw new Error('A CSV target without CSV options')
  return [
    'FORMAT csv',
    `DELIMITER ${text(csv.delimiter)}`,
    `HEADER ${csv.header}`,
    `QUOTE ${text(csv.quote)}`,
    `ESCAPE ${text(csv.escape)}`,
    `NULLSTR ${text(csv.null_value)}`,
    packed,
  ]
}

/** On the disk before it gets its name: a power cut leaves the old file or the new one. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The new name is on the disk, too. Windows keeps names by itself and opens no folders. */
async function flushFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Parts of runs whose process is gone: after a kill nobody else would remove them. */
async function removeAbandoned(file: string): Promise<void> {
  const pattern = new RegExp(
    `^\\.${basename(file).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\.(\\d+)-[0-9a-f]{8}\\.part$`,
  )
  for (const entry of await readdir(dirname(file))) {
    const pid = pattern.exec(entry)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(dirname(file), entry), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function fileError(thrown: unknown, file: string): EngineError {
  if (thrown instanceof EngineError) return thrown
  const code = codeOf(thrown)
  if (code === 'ENOSPC') {
    return new EngineError('DISK_FULL', `The disk is full: ${file}`, {
      hint: 'Free some space and run again; the file is as it was.',
      cause: thrown,
    })
  }
  return new EngineError('FILE_UNWRITABLE', `${file} cannot be written: ${messageOf(thrown)}`, {
    hint: 'Check that the folder may be written by the user that Headgate runs as.',
    cause: thrown,
  })
}
