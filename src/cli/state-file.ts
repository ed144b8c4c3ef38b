import { existsSync } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import type { SourceState } from '../contract/executor-protocol.ts'
import { InputError } from './output.ts'

/** How far incremental tasks have got, by the task's name. */
interface StateFile {
  headgate_state: 1
  tasks: Record<string, { state: SourceState; updated_at: string }>
}

const empty: StateFile = { headgate_state: 1, tasks: {} }

async function readStateFile(path: string): Promise<StateFile> {
  if (!existsSync(path)) return empty
  try {
    const content = JSON.parse(await readFile(path, 'utf8')) as unknown
    if (isStateFile(content)) return content
  } catch (error) {
    throw new InputError(`Can’t read state file ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw new InputError(`${path} is not a Headgate state file: "headgate_state": 1 is missing`)
}

function isStateFile(content: unknown): content is StateFile {
  if (typeof content !== 'object' || content === null) return false
  const { headgate_state: version, tasks } = content as Partial<StateFile> // looked at below
  return version === 1 && typeof tasks === 'object' && tasks !== null
}

export async function readState(path: string | undefined, task: string): Promise<SourceState | null> {
  if (path === undefined) return null
  const { tasks } = await readStateFile(path)
  return Object.hasOwn(tasks, task) ? (tasks[task]?.state ?? null) : null
}

/** Beside the file, then renamed onto it: it is the old one or the new one, whole. Read again just before, as other tasks may keep theirs there. */
export async function writeState(path: string, task: string, state: SourceState): Promise<void> {
  const { tasks } = await readStateFile(path)
  const content: StateFile = { ...empty, tasks: { ...tasks, [task]: { state, updated_at: new Date().toISOString() } } }
  const part = `${path}.${process.pid}.part`
  try {
    const handle = await open(part, 'w')
    try {
      await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(part, path)
  } finally {
    await rm(part, { force: true })
  }
}
