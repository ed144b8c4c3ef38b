import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { QueryOf } from '../../../contract/operation.ts'
import type { listTaskVersions, listTasks } from '../../../contract/tasks.ts'
import { keysetPage } from '../../platform/keyset.ts'
import { searched, startsWith, tagged } from '../../platform/list-filters.ts'
import { holdsText } from '../../platform/text-search.ts'
import type { Store } from '../../platform/store.ts'
import { type TaskRow, type TaskVersionRow, taskVersions, tasks } from './tasks.table.ts'

type NewTask = Omit<typeof tasks.$inferInsert, 'id' | 'search_text' | 'revision' | 'archived'>

type NewVersion = Required<Omit<typeof taskVersions.$inferInsert, 'id'>>

const searchText = (task: { name: string; description?: string | null }) =>
  `${task.name}\n${task.description ?? ''}`.toLowerCase()

const currentYamlHolds = (words: string) => sql`EXISTS (
  SELECT 1 FROM ${taskVersions} WHERE ${taskVersions.task_id} = ${tasks.id} AND ${taskVersions.version} = ${tasks.current_version}
    AND ${holdsText(taskVersions.yaml_content, words)})`

export function createTasksStore(store: Store) {
  const { db } = store
  // Every start of a run asks these: put together once, as building a query takes longer than answering it.
  const one = db
    .select()
    .from(tasks)
    .where(eq(tasks.id, sql.placeholder('id')))
    .prepare()
  const byName = db
    .select()
    .from(tasks)
    .where(eq(tasks.name, sql.placeholder('name')))
    .prepare()
  const oneVersion = db
    .select()
    .from(taskVersions)
    .where(
      and(eq(taskVersions.task_id, sql.placeholder('taskId')), eq(taskVersions.version, sql.placeholder('version'))),
    )
    .prepare()
  // An import adds tens of thousands.
  const newTask = db
    .insert(tasks)
    .values({
      name: sql.placeholder('name'),
      description: sql.placeholder('description'),
      current_version: sql.placeholder('current_version'),
      connector_refs: sql.placeholder('connector_refs'),
      tags: sql.placeholder('tags'),
      archived: sql.placeholder('archived'),
      search_text: sql.placeholder('search_text'),
      revision: 1,
      created_by: sql.placeholder('created_by'),
      created_at: sql.placeholder('created_at'),
      updated_at: sql.placeholder('updated_at'),
    })
    .returning()
    .prepare()
  const newVersion = db
    .insert(taskVersions)
    .values({
      task_id: sql.placeholder('task_id'),
      version: sql.placeholder('version'),
      yaml_content: sql.placeholder('yaml_content'),
      connector_refs: sql.placeholder('connector_refs'),
      change_summary: sql.placeholder('change_summary'),
      created_by: sql.placeholder('created_by'),
      created_at: sql.placeholder('created_at'),
    })
    .prepare()
  const allTexts = db
    .select({ version: taskVersions.version, yaml_content: taskVersions.yaml_content })
    .from(taskVersions)
    .where(eq(taskVersions.task_id, sql.placeholder('taskId')))
    .prepare()
  const newest = db
    .select({ version: taskVersions.version })
    .from(taskVersions)
    .where(eq(taskVersions.task_id, sql.placeholder('taskId')))
    .orderBy(desc(taskVersions.version))
    .limit(1)
    .prepare()
  const sortColumns = { created_at: tasks.id, name: tasks.name, updated_at: tasks.updated_at } as const

  return {
    list(query: QueryOf<typeof listTasks>) {
      const where = and(
        eq(tasks.archived, query.archived ? 1 : 0),
        searched(tasks.search_text, query.q),
        query.yaml ? currentYamlHolds(query.yaml) : undefined,
        startsWith(tasks.search_text, query.starts_with),
        tagged(tasks.tags, query.tag),
      )
      const sort = query.sort ?? 'created_at'
      const direction = query.order ?? (sort === 'name' ? 'asc' : 'desc')
      const byId = { column: tasks.id, direction }
      return keysetPage<TaskRow>({
        store,
        table: tasks,
        where,
        sort: sort === 'created_at' ? [byId] : [{ column: sortColumns[sort], direction }, byId],
        cursor: query.cursor,
        limit: query.limit,
      })
    },

    get: (id: number) => one.get({ id }),
    getByName: (name: string) => byName.get({ name }),
    /** Of the tasks that are not archived. */
    names: () =>
      db
        .select({ name: tasks.name })
        .from(tasks)
        .where(eq(tasks.archived, 0))
        .orderBy(tasks.name)
        .all()
        .map(({ name }) => name),

    /** Of the tasks that are not archived, in the order of their ids. */
    currentTexts: (afterId: number, limit: number) =>
      db
        .select({ id: tasks.id, name: tasks.name, yaml_content: taskVersions.yaml_content })
        .from(tasks)
        .innerJoin(
          taskVersions,
          and(eq(taskVersions.task_id, tasks.id), eq(taskVersions.version, tasks.current_version)),
        )
        .where(and(eq(tasks.archived, 0), gt(tasks.id, afterId)))
        .orderBy(tasks.id)
        .limit(limit)
        .all(),

    insert: (task: NewTask, archived: 0 | 1 = 0) =>
      newTask.get({ description: null, ...task, search_text: searchText(task), archived }),

    update: (
      id: number,
      change: Partial<Omit<NewTask, 'created_at'>> & { archived?: 0 | 1 },
      text?: { name: string; description: string | null },
    ) =>
      db
        .update(tasks)
        .set({ ...change, ...(text && { search_text: searchText(text) }), revision: sql`${tasks.revision} + 1` })
        .where(eq(tasks.id, id))
        .returning()
        .get(),

    insertVersion: (version: NewVersion) => newVersion.run({ ...version }),

    /** Number → text of every version. */
    texts: (taskId: number): Map<number, string> =>
      new Map(allTexts.all({ taskId }).map((row) => [row.version, row.yaml_content])),

    version: (taskId: number, version: number) => oneVersion.get({ taskId, version }),

    listVersions(taskId: number, query: QueryOf<typeof listTaskVersions>) {
      const where = eq(taskVersions.task_id, taskId)
      return keysetPage<TaskVersionRow>({
        store,
        table: taskVersions,
        where,
        sort: [{ column: taskVersions.version, direction: 'desc' }],
        cursor: query.cursor,
        limit: query.limit,
      })
    },

    /** Newest version number ever made, which is not the current one after an import that keeps history. */
    newestVersion: (taskId: number) => newest.get({ taskId })?.version ?? 0,
  }
}
