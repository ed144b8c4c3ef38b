import { and, eq, gt } from 'drizzle-orm'
import { type DocumentValues, createDocumentsStore } from '../../platform/documents/documents.store.ts'
import type { DocumentRow } from '../../platform/documents/documents.table.ts'
import type { Store } from '../../platform/store.ts'
import { taskVersions, tasks } from './tasks.table.ts'

export function createTasksStore(store: Store) {
  const { db } = store
  return {
    ...createDocumentsStore<DocumentValues, DocumentRow>(store, { table: tasks, versions: taskVersions }),

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
          and(eq(taskVersions.owner_id, tasks.id), eq(taskVersions.version, tasks.current_version)),
        )
        .where(and(eq(tasks.archived, 0), gt(tasks.id, afterId)))
        .orderBy(tasks.id)
        .limit(limit)
        .all(),
  }
}
