import { join } from 'node:path'
import { cpSync, mkdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { galleryTasks, textOf } from '../../../src/renderer/features/tasks/gallery.ts'
import { exampleNeeds } from '../../../src/renderer/features/tasks/run-example.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder, vegaData } from '../../executor/engine/run-task.ts'

/** Those whose slots are named like the connectors of `npm run demo`: they run there without another thought. */
const demo = new Set(['samples', 'exports', 'warehouse'])
const runnable = galleryTasks().filter(({ yaml }) => {
  const { connector_refs, kind } = parseTask(yaml)
  return kind !== 'command' && kind !== 'http' && Object.keys(connector_refs).every((slot) => demo.has(slot))
})
/** Their files and tables are what others read. */
const first = new Set(['files-csv-to-table', 'files-jsonl-write', 'files-xlsx-write'])
const ordered = [...runnable.filter((one) => first.has(one.id)), ...runnable.filter((one) => !first.has(one.id))]

describe('tasks of the gallery that need only what the demo has', () => {
  it('are most of them', () => {
    expect(runnable.length).toBeGreaterThanOrEqual(20)
  })

  it('all run, one after the other, and write what they read', { timeout: 180_000 }, async () => {
    const folder = temporaryFolder()
    const exports = join(folder, 'exports')
    mkdirSync(exports)
    const connectors: Record<string, BoundConnector> = {
      samples: fileConnector(vegaData),
      exports: fileConnector(exports),
      warehouse: sqliteConnector(join(folder, 'warehouse.db')),
    }
    const ended: Record<string, string> = {}
    for (const one of ordered) {
      const slots = Object.keys(parseTask(one.yaml).connector_refs)
      const bound = Object.fromEntries(slots.map((slot) => [slot, connectors[slot]!])) // one of the three, as chosen above
      const run = await runTask(textOf(one), bound)
      const wrote = one.kind !== 'pipeline' || (run.item_count ?? 0) > 0
      ended[one.id] = run.error ? `${run.status}: ${run.error.message}` : wrote ? run.status : 'wrote nothing'
    }
    const odd = Object.entries(ended).filter(([, status]) => status !== 'success')
    // Rows that are set aside are what this one teaches.
    expect(odd).toEqual([['steps-expect', 'completed']])
  })

  it('and run in one click have their files with the app, and rows to read', { timeout: 180_000 }, async () => {
    const folder = temporaryFolder()
    // As in the folder of uploads: what one example writes, the next reads there.
    cpSync('resources/gallery/data', folder, { recursive: true })
    const files = fileConnector(folder)
    const connectors: Record<string, BoundConnector> = {
      samples: files,
      exports: files,
      warehouse: sqliteConnector(join(folder, 'examples.db')),
    }
    const ended: Record<string, string> = {}
    const run = async (id: string) => {
      const one = galleryTasks().find((task) => task.id === id)
      if (!one) throw new Error(`No example ${id}`)
      const { after } = exampleNeeds[id] ?? {}
      if (after) await run(after)
      const result = await runTask(textOf(one), Object.fromEntries(one.slots.map((slot) => [slot, connectors[slot]!])))
      ended[id] = result.error ? `${result.status}: ${result.error.message}` : result.status
    }
    for (const id of Object.keys(exampleNeeds)) await run(id)
    expect(Object.entries(ended).filter(([, status]) => status !== 'success')).toEqual([])
    expect(Object.keys(ended).length).toBeGreaterThanOrEqual(15)
  })
})
