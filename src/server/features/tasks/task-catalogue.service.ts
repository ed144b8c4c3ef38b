import type { CatalogueTask, CatalogueVersion } from '../../../language/job/job.types.ts'
import { parseTask } from '../../../language/task/parse-task.ts'
import type { Platform } from '../../platform/platform.ts'
import { createRecent } from '../../platform/recent.ts'
import { createTasksStore } from './tasks.store.ts'

/** A template of 500 tasks is checked without parsing any of them twice. */
const kept = 2_000

/** What job templates and jobs need to know of tasks. */
export function createTaskCatalogueService({ store }: Pick<Platform, 'store'>) {
  const tasks = createTasksStore(store)
  const versions = createRecent<CatalogueVersion>(kept)

  function find(name: string): CatalogueTask | undefined {
    const row = tasks.getByName(name)
    return row && { id: row.id, name: row.name, current_version: row.current_version, archived: row.archived === 1 }
  }
  const text = (id: number, version: number) => tasks.version(id, version)?.yaml_content

  return {
    find,
    /** Of the tasks that are not archived. */
    names: () => tasks.names(),
    nameOf: (id: number) => tasks.get(id)?.name,
    currentVersion: (id: number) => tasks.get(id)?.current_version,
    text,
    /** The slots and arguments of a version, as far as this server's language can read them. */
    version: (id: number, version: number): CatalogueVersion | undefined =>
      versions.get(`${id}/${version}`, () => {
        const yaml = text(id, version)
        if (yaml === undefined) return undefined
        const { connector_refs, arguments: args } = parseTask(yaml)
        return { connectors: connector_refs, arguments: args }
      }),
  }
}
export type TaskCatalogueService = ReturnType<typeof createTaskCatalogueService>
