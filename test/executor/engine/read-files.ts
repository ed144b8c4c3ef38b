import { mkdirSync, writeFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileConnector, runTask, temporaryFolder, type FinishedRun, type RunOptions } from './run-task.ts'

export interface ReadOptions extends RunOptions {
  /** Keys of the task behind `files`: `, on_error: quarantine`. */
  files?: string
  steps?: string
  /** Keys at the end of the task. */
  more?: string
}

export interface FilesRead {
  run: FinishedRun
  rows: Record<string, unknown>[]
  /** The error from the file's name on: where it lies differs from test to test. */
  message: string
  folder: string
}

/** Files in a folder of their own. */
export function folderWith(files: Record<string, string | Buffer>): string {
  const folder = temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/** Reads the files of a folder that match into JSON lines. */
export async function readFiles(
  folder: string,
  glob: string,
  { files = '', steps = '[]', more = '', ...options }: ReadOptions = {},
): Promise<FilesRead> {
  const out = temporaryFolder()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: files
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: ${JSON.stringify(glob)}${files}}}
steps: ${steps}
target: {connector: out, file: {path: out.jsonl}}
${more}`,
    { in: fileConnector(folder), out: fileConnector(out) },
    options,
  )
  const written = join(out, 'out.jsonl')
  const rows = existsSync(written)
    ? readFileSync(written, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    : []
  if (run.status === 'failed' && existsSync(written)) throw new Error('A run that failed has written its target')
  return { run, rows, message: (run.error?.message ?? '').replaceAll(`${folder}/`, ''), folder }
}
