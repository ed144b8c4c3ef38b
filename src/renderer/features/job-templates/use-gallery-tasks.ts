import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createTask, listTasks } from '../../../contract/tasks.ts'
import { type ApiFailure, call } from '../../api/client.ts'
import { parseTask } from '../../../language/task/parse-task.ts'
import { readyTask } from './template-gallery.ts'

/** Which of these tasks are there. Each is asked for by its name: a list of all would be cut where there are many. */
async function findTasks(names: readonly string[], signal: AbortSignal): Promise<string[]> {
  const found = await Promise.all(
    names.map(async (name) => {
      const { result } = await call(listTasks, { query: { q: name, limit: 200 }, signal })
      return result.some((task) => task.name === name) ? [name] : []
    }),
  )
  return found.flat()
}

export interface GalleryTasks {
  /** undefined: not known yet. */
  there: readonly string[] | undefined
  error: ApiFailure | null
  retry(): void
  /** Makes those that are missing and stand in the gallery; resolves to how many. */
  makeMissing(): Promise<number>
}

export function useGalleryTasks(names: readonly string[]): GalleryTasks {
  const client = useQueryClient()
  const found = useQuery<string[], ApiFailure>({
    queryKey: [listTasks.id, { named: names }],
    queryFn: ({ signal }) => findTasks(names, signal),
    enabled: names.length > 0,
  })
  const makeMissing = async () => {
    const there = await findTasks(names, new AbortController().signal)
    let made = 0
    for (const name of names.filter((one) => !there.includes(one))) {
      const yaml = readyTask(name)
      if (yaml === undefined) continue
      const tags = parseTask(yaml).task?.tags ?? []
      await call(createTask, { body: { yaml_content: yaml, ...(tags.length > 0 ? { tags } : {}) } })
      made += 1
    }
    if (made > 0) await client.invalidateQueries({ queryKey: [listTasks.id] })
    return made
  }
  return {
    there: names.length === 0 ? [] : found.data,
    error: found.error,
    retry: () => void found.refetch(),
    makeMissing,
  }
}
