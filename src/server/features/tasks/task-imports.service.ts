import type { Platform } from '../../platform/platform.ts'
import type { ImportedVersion, RecordImports } from '../../platform/record-imports.ts'
import { type TaskValues, judgeTask } from './task-judge.ts'
import { startTaskJudgeThread } from './task-judge-thread.ts'
import { createTasksStore } from './tasks.store.ts'
import type { TaskRow } from './tasks.table.ts'

/** Tasks as bundles bring them: with their history, which is taken as it stands. */
export function createTaskImportsService({
  store,
  events,
  clock,
}: Pick<Platform, 'store' | 'events' | 'clock'>): RecordImports<TaskValues> {
  const tasks = createTasksStore(store)

  const changed = ({ id, name, current_version, archived }: TaskRow) =>
    events.append('task.changed', id, { name, current_version, archived })
  function addVersions(id: number, versions: readonly ImportedVersion[], current: [number, string] | null, by: number) {
    for (const { created_at, ...version } of versions) {
      tasks.insertVersion({
        ...version,
        task_id: id,
        connector_refs: version.version === current?.[0] ? current[1] : null,
        created_by: by,
        created_at: created_at ?? clock.iso(),
      })
    }
  }

  return {
    find(name, history) {
      const row = tasks.getByName(name)
      if (!row) return undefined
      const { id, current_version, archived, tags } = row
      const texts = history ? tasks.texts(id) : new Map([[current_version, textOf(id, current_version)]])
      const newest = history ? Math.max(...texts.keys()) : tasks.newestVersion(id)
      return { id, current_version, archived: archived === 1, tags, texts, newest }
    },
    judge: judgeTask,
    judgeAhead: startTaskJudgeThread,
    create({ values, versions, current_version, tags, archived }, by) {
      const at = clock.iso()
      const row = tasks.insert(
        { ...values, current_version, tags, created_by: by, created_at: at, updated_at: at },
        archived ? 1 : 0,
      )
      addVersions(row.id, versions, [current_version, values.connector_refs], by)
      changed(row)
    },
    change(id, { values, add, current_version, tags, unarchive }, by) {
      addVersions(id, add, values ? [current_version, values.connector_refs] : null, by)
      const archived = unarchive ? { archived: 0 as const } : {}
      changed(tasks.update(id, { ...values, current_version, tags, ...archived, updated_at: clock.iso() }, values))
    },
  }

  function textOf(id: number, version: number): string {
    const row = tasks.version(id, version)
    if (!row) throw new Error(`Task ${id} has no version ${version}, which is its current one`)
    return row.yaml_content
  }
}
