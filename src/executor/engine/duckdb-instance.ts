import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js'
import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { mergeFiles, pathsOf, type DuckDbFile } from './attached-files.ts'
import { text } from './sql-text.ts'

// The driver’s own decoder leaves out a byte order mark, which is a character like any other. (Its version is pinned.)
Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) })

export interface SessionOptions {
  tempDir: string
  /** Folders and single files that may be read and written, besides `tempDir`. Resolved, absolute. */
  directories: string[]
  /** Database files that may be attached. */
  attach?: readonly DuckDbFile[]
  signal: AbortSignal
  /**
   * Lets the optimiser move filters. Off, every step does its work at its place: an expression never meets rows that a filter before
   * it took away, and each step's rows can be counted. See docs/decisions/0005-counting-rows.md.
   */
  moveFilters?: boolean
}

/**
 * What DuckDB counts as its own, and when it gives freed memory back to the system. Measured with a million rows of 700 bytes, a run that
 * spills then peaks at 540 to 820 MiB, mostly below 750; the bar for a run is 800 MB. With DuckDB's own thresholds it was 700 to 1,020.
 * With less than 302 MB a text of 48 MB does not go into MySQL any more, and with 200 MB a `dedupe` of wide rows cannot spill.
 */
const memory = {
  memory_limit: '304MB',
  allocator_background_threads: 'true',
  allocator_flush_threshold: '8MB',
  allocator_bulk_deallocation_flush_threshold: '8MB',
}
const counted = '{"OPERATOR_CARDINALITY":"true","OPERATOR_TYPE":"true","OPERATOR_NAME":"true","EXTRA_INFO":"true"}'

/** An instance that is locked to the folders and files of a session. */
export interface Opened {
  instance: DuckDBInstance
  connection: DuckDBConnection
  /** What it is locked to; only a run with the same may use it again. */
  key: string
  uses: number
}

/**
 * Opening and locking takes longer than many runs do. So an instance is opened while the worker is idle, and one that has served a
 * run soundly is kept for the next run that is locked to the same folders.
 */
let warm: Promise<DuckDBInstance> | null = null
let kept: Opened | null = null
/** An instance is not kept forever: what leaks inside it goes with it. */
const mostUses = 500

export async function warmDuckDb(): Promise<void> {
  if (kept) return
  warm ??= openInstance()
  await warm.catch(() => {
    // A failure belongs to the run that needs the instance, which opens its own.
    warm = null
  })
}

export async function openInstance(): Promise<DuckDBInstance> {
  return DuckDBInstance.create(':memory:', {
    ...memory,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    preserve_insertion_order: 'true',
  })
}

async function takeInstance(): Promise<DuckDBInstance> {
  const ready = warm
  warm = null
  return ready ? ready.catch(openInstance) : openInstance()
}

/** One that was kept, or a new one. */
export async function takeOpened(options: SessionOptions): Promise<Opened> {
  await mkdir(spillFolder(options.tempDir), { recursive: true })
  return takeKept(keyOf(options)) ?? openLocked(options)
}

/** Whether it may serve another run, once nothing of this one is left in it. */
export function mayBeKept(opened: Opened): boolean {
  return kept === null && opened.uses < mostUses
}

export function keep(opened: Opened): void {
  kept = opened
}

function keyOf(options: SessionOptions): string {
  const files = mergeFiles(options.attach ?? []).map((file) => file.path)
  return JSON.stringify([options.tempDir, options.moveFilters === true, options.directories.toSorted(), files])
}

function takeKept(key: string): Opened | null {
  const found = kept
  kept = null
  if (found && found.key === key) return found
  if (found) dispose(found)
  return null
}

export function dispose({ connection, instance }: Opened): void {
  connection.closeSync()
  instance.closeSync()
}

async function openLocked(options: SessionOptions): Promise<Opened> {
  const instance = await takeInstance()
  try {
    const connection = await instance.connect()
    await lockDown(connection, options)
    return { instance, connection, key: keyOf(options), uses: 0 }
  } catch (error) {
    instance.closeSync()
    throw error
  }
}

function spillFolder(tempDir: string): string {
  return join(tempDir, 'spill')
}

/** Its time grows with the square of the columns: a file of 1,200 took over a minute to plan, for rows that are no faster then. */
const slow = ['common_subexpressions']
const moving = ['filter_pushdown', 'statistics_propagation', 'empty_result_pullup']

async function lockDown(connection: DuckDBConnection, options: SessionOptions): Promise<void> {
  const single = new Set(options.directories.filter(isFile))
  const open = options.directories.filter((path) => !single.has(path))
  const folders = [...open, options.tempDir].map((folder) => text(folder)).join(', ')
  const attached = (options.attach ?? []).flatMap((file) => pathsOf(file.path))
  const files = [...single, ...attached].map((path) => text(path))
  const settings = [
    `SET TimeZone = 'UTC'`,
    `SET temp_directory = ${text(spillFolder(options.tempDir))}`,
    `PRAGMA enable_profiling = 'json'`,
    `SET profiling_output = ${text(profilePath(options.tempDir))}`,
    `PRAGMA custom_profiling_settings = ${text(counted)}`,
    `SET enable_progress_bar = true`,
    `SET enable_progress_bar_print = false`,
    `SET disabled_optimizers = ${text([...slow, ...(options.moveFilters ? [] : moving)].join(','))}`,
    `SET allowed_directories = [${folders}]`,
    `SET allowed_paths = [${files.join(', ')}]`,
    `SET enable_external_access = false`,
    `SET lock_configuration = true`,
  ]
  await connection.run(settings.join(';'))
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

export function profilePath(tempDir: string): string {
  return join(tempDir, 'profile.json')
}
