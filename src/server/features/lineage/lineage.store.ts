import type { ConnectorType } from '../../../contract/connector-types.ts'
import type { RunStatus } from '../../../contract/runs.ts'
import type { Store } from '../../platform/store.ts'
import type { RunRow } from '../runs/runs.service.ts'
import { hasWritten } from './run-lineage.rules.ts'

export interface LineageTaskRow {
  id: number
  name: string
  current_version: number
}
export interface LineageJobRow {
  id: number
  name: string
  snapshot_id: number
  connector_mapping: string
}
export interface LineageConnectorRow {
  id: number
  name: string
  type: ConnectorType
  config: string
}
export interface LineageRunRow {
  task_id: number
  /** 0: a run of its own. */
  job_id: number
  task_key: string
  connector_mapping: string
  /** null: it has been removed. */
  run_id: number | null
  status: RunStatus
  ended_at: string
  written_run_id: number | null
  written_text: string | null
  written_at: string | null
  /** Of all items of a for_each in its job run, as far as they have ended. */
  rows: number | null
}
interface LineageWriteRow {
  task_id: number
  connector_mapping: string
  written_run_id: number
  written_text: string
  written_at: string
}
/** Names a text of a task for ever. */
export const textKeyOf = (run: Pick<RunRow, 'task_id' | 'task_version' | 'override_hash'>): string =>
  run.override_hash ?? `${run.task_id}/${run.task_version}`

/** Assignments of an upsert that keep what the newest run said: an older one can be reported late. */
const newest = (time: string, columns: readonly string[]): string =>
  [...columns, time]
    .map(
      (column) =>
        `${column} = CASE WHEN excluded.${time} >= coalesce(${time}, '') THEN excluded.${column} ELSE ${column} END`,
    )
    .join(', ')

export function createLineageStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const tasks = sqlite.prepare<[], LineageTaskRow>('SELECT id, name, current_version FROM tasks WHERE archived = 0')
  const jobs = sqlite.prepare<[], LineageJobRow>(
    "SELECT id, name, snapshot_id, connector_mapping FROM jobs WHERE status = 'active' AND snapshot_id IS NOT NULL ORDER BY id",
  )
  const overrides = sqlite.prepare<[], { job_id: number; task_key: string; hash: string }>(
    'SELECT job_id, task_key, hash FROM job_task_overrides',
  )
  const connectors = sqlite.prepare<[], LineageConnectorRow>('SELECT id, name, type, config FROM connectors')
  const connector = sqlite.prepare<[number], LineageConnectorRow>(
    'SELECT id, name, type, config FROM connectors WHERE id = ?',
  )
  const runs = sqlite.prepare<[], LineageRunRow>(`
    SELECT task_id, job_id, task_key, connector_mapping, (SELECT id FROM runs WHERE id = run_id) AS run_id, status, ended_at,
      (SELECT id FROM runs WHERE id = written_run_id) AS written_run_id, written_text, written_at, coalesce(
        (SELECT sum(items.item_count) FROM runs JOIN job_run_items AS items USING (job_run_id, task_key)
          WHERE runs.id = written_run_id), rows) AS rows
    FROM lineage_runs ORDER BY task_id, job_id, task_key, ended_at`)
  const writes = sqlite.prepare<[], LineageWriteRow>(`
    SELECT task_id, connector_mapping, written_run_id, written_text, written_at FROM lineage_runs
    WHERE written_run_id IS NOT NULL ORDER BY written_run_id DESC`)
  const writesOfTask = sqlite.prepare<[number], LineageWriteRow>(`
    SELECT task_id, connector_mapping, written_run_id, written_text, written_at FROM lineage_runs
    WHERE task_id = ? AND written_run_id IS NOT NULL ORDER BY written_run_id DESC`)
  const ended = sqlite.prepare<[Record<string, unknown>]>(`
    INSERT INTO lineage_runs VALUES (@task_id, @job_id, @task_key, @connector_mapping, @run_id, @status, @ended_at,
      @written_run_id, @written_text, @written_at, @rows)
    ON CONFLICT DO UPDATE SET ${newest('ended_at', ['run_id', 'status'])},
      ${newest('written_at', ['written_run_id', 'written_text', 'rows'])}`)
  const kept = sqlite.prepare<[number], { text_key: string; lineage: string }>(
    'SELECT text_key, lineage FROM lineage_texts WHERE edition = ?',
  )
  const keep = sqlite.prepare<[string, number, string]>('INSERT OR REPLACE INTO lineage_texts VALUES (?, ?, ?)')
  const version = sqlite
    .prepare<[number, number], string>('SELECT yaml_content FROM task_versions WHERE task_id = ? AND version = ?')
    .pluck()
  const override = sqlite.prepare<[string], string>('SELECT yaml_content FROM override_texts WHERE hash = ?').pluck()

  const argumentsOf = sqlite
    .prepare<[number], string>("SELECT coalesce(arguments, '{}') FROM runs WHERE id = ?")
    .pluck()

  return {
    tasks: (): LineageTaskRow[] => tasks.all(),
    jobs: (): LineageJobRow[] => jobs.all(),
    overrides: () => overrides.all(),
    connectors: (): LineageConnectorRow[] => connectors.all(),
    connectorsOf: (ids: readonly number[]): LineageConnectorRow[] => ids.flatMap((id) => connector.get(id) ?? []),
    runs: (): LineageRunRow[] => runs.all(),
    /** The newest run first, also if it has been removed since. */
    writes: (): LineageWriteRow[] => writes.all(),
    writesOfTask: (id: number): LineageWriteRow[] => writesOfTask.all(id),

    noteEnd(run: RunRow): void {
      const at = run.completed_at ?? run.updated_at
      const wrote = hasWritten(run)
      ended.run({
        task_id: run.task_id,
        job_id: run.job_id ?? 0,
        task_key: run.task_key ?? '',
        connector_mapping: run.connector_mapping ?? '{}',
        run_id: run.id,
        status: run.status,
        ended_at: at,
        written_run_id: wrote ? run.id : null,
        written_text: wrote ? textKeyOf(run) : null,
        written_at: wrote ? (run.committed_at ?? at) : null,
        rows: wrote ? run.item_count : null,
      })
    },

    /** What was made of texts in this edition of the language. */
    argumentsOf: (runId: number): string | undefined => argumentsOf.get(runId),
    texts: (edition: number) => kept.all(edition),
    keepText: (key: string, edition: number, lineage: string): void => void keep.run(key, edition, lineage),
    yamlOf(key: string): string | undefined {
      const [, task, number] = /^(\d+)\/(\d+)$/.exec(key) ?? []
      return task === undefined ? override.get(key) : version.get(Number(task), Number(number))
    },
  }
}
export type LineageStore = ReturnType<typeof createLineageStore>
