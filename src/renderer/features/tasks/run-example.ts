/// <reference types="vite/client" />
/**
 * Runs an example of the gallery with sample data that is part of the window: uploads the files, creates the connectors and the task,
 * over the interface as anybody would. What is there already is used; a name that something else has gets a number.
 */
import { createConnector, listConnectors } from '../../../contract/connectors.ts'
import { getRun, triggerRun } from '../../../contract/runs.ts'
import { createTask, getTask, listTasks } from '../../../contract/tasks.ts'
import { type UploadedFile, listUploads, uploadFile, uploadType } from '../../../contract/uploads.ts'
import { parseTask } from '../../../language/task/parse-task.ts'
import { ApiFailure, call, sendFile } from '../../api/client.ts'
import { type GalleryTask, galleryTasks, textOf } from './gallery.ts'

const contents = import.meta.glob<string>('../../../../resources/gallery/data/*.{csv,tsv,json}', {
  query: '?raw',
  import: 'default',
})

interface Needs {
  files?: readonly string[]
  /** The example that writes what this one reads. */
  after?: string
}
const weather: Needs = { after: 'files-csv-to-table' }
/** Examples that run with the sample data. All others need systems or files of one's own. */
export const exampleNeeds: Readonly<Record<string, Needs>> = {
  'databases-delete-insert': { files: ['seattle-weather.csv'] },
  'databases-sqlite-to-parquet': weather,
  'files-csv-to-table': { files: ['seattle-weather.csv'] },
  'files-csv-with-options': { files: ['unemployment.tsv'] },
  'files-jsonl-upsert': { after: 'files-jsonl-write' },
  'files-jsonl-write': { files: ['gapminder.json'] },
  'incremental-cursor': weather,
  'steps-dedupe': {},
  'steps-explode': {},
  'steps-inline': {},
  'steps-lookup': { files: ['lookup_groups.csv', 'lookup_people.csv'] },
  'steps-map': {},
  'work-script': {},
  'work-sql-create-as': weather,
  'work-sql-statements': {},
}

/** The slots of an example, and the connector that each gets. */
export const databaseSlot = 'warehouse'
const folderSlots = new Set(['samples', 'exports'])

const tags = ['example']
const connectorName = 'examples'
const mostNames = 50
/** So long an example waits for the one whose rows it reads. */
const mostWaits = 3

/** Runs it and gives the number of its run; of the example before it, if that one doesn't succeed. `database`: the file of its tables. */
export async function runExample(example: GalleryTask, database: string | undefined): Promise<number> {
  const { files = [], after } = exampleNeeds[example.id] ?? {}
  const before = after && galleryTasks().find((one) => one.id === after)
  if (before) {
    const id = await runExample(before, database)
    if (!(await succeeds(id))) return id
  }
  let yaml = textOf(example)
  let folder: number | undefined
  for (const name of files) {
    const file = await uploaded(name)
    folder = file.connector_id
    if (file.name !== name) yaml = yaml.replaceAll(name, file.name)
  }
  const slots = Object.keys(parseTask(yaml).connector_refs)
  const connector_mapping: Record<string, number> = {}
  for (const slot of slots) {
    if (folderSlots.has(slot)) connector_mapping[slot] = folder ??= await folderOf(galleryFile)
    else connector_mapping[slot] = await databaseAt(database)
  }
  const taskId = await taskOf(yaml)
  return (await call(triggerRun, { params: { taskId }, body: { connector_mapping } })).id
}

/** Tells the folder where no file of the example does. */
const galleryFile = 'lookup_groups.csv'
const folderOf = async (file: string): Promise<number> => (await uploaded(file)).connector_id

async function succeeds(id: number): Promise<boolean> {
  for (let waits = 0; waits < mostWaits; waits += 1) {
    const { status } = await call(getRun, { params: { id }, query: { wait: '60s' } })
    if (status === 'success' || status === 'completed') return true
    if (status !== 'pending' && status !== 'running') return false
  }
  return false
}

/** The sample file in the folder of uploads: the one that is there with its size, or uploaded, with a number if the name is taken. */
async function uploaded(name: string): Promise<Pick<UploadedFile, 'name' | 'connector_id'>> {
  const load = contents[`../../../../resources/gallery/data/${name}`]
  if (!load) throw new Error(`No sample file ${name}`)
  const file = new Blob([await load()])
  const [stem = name, ending = ''] = name.split(/(?=\.)/)
  const { result } = await call(listUploads, { query: { limit: 200 } })
  const there = result.find(
    (one) =>
      one.bytes === file.size &&
      (one.name === name || (one.name.startsWith(`${stem} (`) && one.name.endsWith(`)${ending}`))),
  )
  if (there?.connector_id) return { name: there.name, connector_id: there.connector_id }
  const { signal } = new AbortController()
  return await sendFile(uploadFile, { query: { name }, file, type: uploadType, signal, onProgress: () => undefined })
}

/** A SQLite connector of that file: the demo's, one that was made for an example, or a new one. */
async function databaseAt(path: string | undefined): Promise<number> {
  const { result } = await call(listConnectors, { query: { limit: 200, type: 'sqlite' } })
  const there = result.find((one) => one.config['path'] === path && one.config['read_only'] !== true)
  if (there) return there.id
  return await named(connectorName, '-', async (name) => {
    return (await call(createConnector, { body: { name, type: 'sqlite', config: { path } } })).id
  })
}

/** The task of this text: the one that is there, or a new one. */
async function taskOf(yaml: string): Promise<number> {
  const wanted = parseTask(yaml).task?.name ?? ''
  return await named(wanted, '.', async (name) => {
    const yaml_content = name === wanted ? yaml : yaml.replace(/^name: .*$/m, `name: ${name}`)
    try {
      return (await call(createTask, { body: { yaml_content, tags } })).id
    } catch (error) {
      if (!isTaken(error)) throw error
      const found = (await call(listTasks, { query: { starts_with: name, limit: 200 } })).result
      const id = found.find((one) => one.name === name && one.archived === 0)?.id
      if (id === undefined) throw error
      if ((await call(getTask, { params: { id } })).yaml_content !== yaml_content) throw error
      return id
    }
  })
}

const isTaken = (error: unknown) => error instanceof ApiFailure && error.code === 'CONFLICT'

/** With the name, or the first number behind it that nothing else has. */
async function named(name: string, joint: string, make: (name: string) => Promise<number>): Promise<number> {
  for (let number = 1; ; number += 1) {
    try {
      return await make(number === 1 ? name : `${name}${joint}${number}`)
    } catch (error) {
      if (!isTaken(error) || number === mostNames) throw error
    }
  }
}
