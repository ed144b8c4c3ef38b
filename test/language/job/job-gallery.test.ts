import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JobCatalogue } from '../../../src/language/job/job.types.ts'
import { parseJob } from '../../../src/language/job/parse-job.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'

const gallery = join(import.meta.dirname, '../../../resources/gallery')
const yamlIn = (folder: string): [name: string, text: string][] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')])

const tasks = new Map(yamlIn(gallery).map(([, text]) => [parseTask(text).task?.name ?? '', parseTask(text)]))
const names = [...tasks.keys()]
const catalogue: JobCatalogue = {
  task: (name) =>
    tasks.has(name) ? { id: names.indexOf(name) + 1, name, current_version: 1, archived: false } : undefined,
  version(task, version) {
    const found = version === 1 ? tasks.get(task.name) : undefined
    return found && { connectors: found.connector_refs, arguments: found.arguments }
  },
  taskNames: () => names,
  pools: [],
  channels: [],
}

describe('ready job templates', () => {
  it.each(yamlIn(join(gallery, 'jobs')))(
    '%s fits the ready tasks, and has a title and a description',
    (_file, text) => {
      const { job, diagnostics } = parseJob(text, catalogue)
      expect(diagnostics).toEqual([])
      expect(text).toMatch(/^# \S/)
      expect(job?.description).toMatch(/\w/)
    },
  )

  it('show a fan-out, a gate, and what may fail', () => {
    const nodes = yamlIn(join(gallery, 'jobs')).flatMap(([, text]) =>
      Object.values(parseJob(text, catalogue).job?.tasks ?? {}),
    )
    expect(nodes.some((node) => node.kind === 'gate')).toBe(true)
    expect(nodes.some((node) => node.kind === 'task' && node.for_each !== null)).toBe(true)
    expect(new Set(nodes.flatMap((node) => (node.kind === 'task' ? node.on_failure : [])))).toEqual(
      new Set(['fail', 'continue', 'stop']),
    )
  })
})
