import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Platform } from '../../platform/platform.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import { filesRead, namesFile } from './tasks.rules.ts'
import { createTasksStore } from './tasks.store.ts'

/** Texts looked through at once: other requests come in between. */
const slice = 500

export interface NamingTask {
  id: number
  name: string
}

/** Which tasks read a file that they call by its name. A pattern such as `*.csv` names none. */
export function createTaskFilesService(
  { store, draining }: Pick<Platform, 'store' | 'draining'>,
  { readings }: { readings: ReadingsService },
) {
  const tasks = createTasksStore(store)
  return {
    /** Of the tasks that are not archived, by file name. */
    async naming(names: readonly string[]): Promise<Map<string, NamingTask[]>> {
      const found = new Map(names.map((name): [string, NamingTask[]] => [name, []]))
      // As they stand in YAML: within single quotes, a quote is written twice. Only texts that have one are parsed.
      const written = [...new Set(names.flatMap((name) => [name, name.replaceAll("'", "''")]))]
      for (let last = 0; names.length > 0;) {
        const texts = tasks.currentTexts(last, slice)
        for (const { id, name, yaml_content } of texts) {
          if (!written.some((text) => yaml_content.includes(text))) continue
          const { task } = await readings.read('task', yaml_content, undefined, draining)
          const globs = filesRead(task)
          for (const [file, by] of found) if (globs.some((glob) => namesFile(glob, file))) by.push({ id, name })
        }
        if (texts.length < slice) break
        last = texts.at(-1)!.id
        await nextTurn()
      }
      return found
    },
  }
}
export type TaskFilesService = ReturnType<typeof createTaskFilesService>
