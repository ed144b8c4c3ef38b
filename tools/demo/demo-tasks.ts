// The tasks of the demo: their connectors, their texts, and a run of one of them.
import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createConnector } from '../../src/contract/connectors.ts'
import { type Run, getRun, getRunLogs, triggerRun } from '../../src/contract/runs.ts'
import { createTask } from '../../src/contract/tasks.ts'
import type { Client } from './control-plane.ts'

/** The order in which the tasks run; the upsert runs twice to show that the second time changes nothing. */
export const order = [
  'weather.monthly',
  'flights.routes',
  'flights.export',
  'flights.delays',
  'countries.indicators',
  'countries.indicators',
  'movies.clean',
]

/** One connector a slot name, so that every demo task binds by name. */
export async function createConnectors(api: Client, workspace: string) {
  const exportsDir = join(workspace, 'exports')
  mkdirSync(exportsDir, { recursive: true })
  const samples = resolve('node_modules/vega-datasets/data')
  const bodies = [
    { name: 'samples', type: 'file' as const, config: { root: samples }, description: 'vega-datasets' },
    { name: 'exports', type: 'file' as const, config: { root: exportsDir } },
    { name: 'warehouse', type: 'sqlite' as const, config: { path: join(workspace, 'warehouse.db') } },
  ]
  const slots: Record<string, number> = {}
  for (const body of bodies) slots[body.name] = (await api.call(createConnector, { body })).id
  return slots
}

interface DemoTask {
  id: number
  slots: string[]
}
export async function createTasks(api: Client) {
  const tasks = new Map<string, DemoTask>()
  for (const file of readdirSync('resources/demo').filter((f) => f.endsWith('.yaml'))) {
    const yaml_content = readFileSync(join('resources/demo', file), 'utf8')
    const task = await api.call(createTask, { body: { yaml_content, tags: ['demo'] } })
    // JSON-encoded map of slot name to what it takes.
    const slots = Object.keys(JSON.parse(task.connector_refs ?? '{}') as object)
    tasks.set(basename(file, '.yaml'), { id: task.id, slots })
  }
  return tasks
}

/** Starts a run and follows its log until the server says that it is over. */
export async function runTask(
  api: Client,
  task: DemoTask,
  slots: Record<string, number>,
  given: Record<string, unknown> = {},
): Promise<Run> {
  const connector_mapping = Object.fromEntries(task.slots.map((slot) => [slot, slots[slot] ?? 0]))
  const { id } = await api.call(triggerRun, {
    params: { taskId: task.id },
    body: { connector_mapping, arguments: given },
  })
  const log = await api.request(getRunLogs, { params: { id } }, 'text/event-stream')
  await log.text()
  return api.call(getRun, { params: { id } })
}
