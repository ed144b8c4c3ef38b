import { describe, expect, it } from 'vitest'
import { connectorTypes } from '../../../src/contract/connector-types.ts'
import { kindDefinitions } from '../../../src/language/task/kinds/kind-registry.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { sources } from '../../../src/language/task/sources/source-registry.ts'
import { steps } from '../../../src/language/task/steps/step-registry.ts'
import { targets } from '../../../src/language/task/targets/target-registry.ts'
import { findTasks, galleryGroups, galleryTasks, textOf } from '../../../src/renderer/features/tasks/gallery.ts'

const all = galleryTasks()
const documents = all.flatMap(({ yaml }) => parseTask(yaml).task ?? [])
const pipelines = documents.flatMap((task) => (task.kind === 'pipeline' ? [task] : []))

describe('the gallery', () => {
  it.each(all)('$id is a whole task without a finding', (one) => {
    expect(parseTask(one.yaml).diagnostics).toEqual([])
    expect(parseTask(textOf(one)).task).toEqual(parseTask(one.yaml).task)
    expect(textOf(one)).toMatch(/^etl: 1\n/)
    expect(one.title).not.toBe('')
    expect(one.description).not.toBe('')
    expect(galleryGroups).toContain(one.tags[0])
  })

  it('has names and titles that do not stand in each other’s way', () => {
    expect(new Set(documents.map((task) => task.name)).size).toBe(all.length)
    expect(new Set(all.map((task) => task.title)).size).toBe(all.length)
  })

  it('has every kind, source, target, step and connector type', () => {
    const missing = (wanted: readonly string[], there: Iterable<string>) => {
      const found = new Set(there)
      return wanted.filter((one) => !found.has(one))
    }
    const kinds = documents.map((task) => task.kind)
    expect(
      missing(
        kindDefinitions.map((one) => one.kind),
        kinds,
      ),
    ).toEqual([])
    expect(
      missing(
        sources.map((one) => one.kind),
        pipelines.map((task) => task.source.kind),
      ),
    ).toEqual([])
    expect(
      missing(
        targets.map((one) => one.kind),
        pipelines.map((task) => task.target.kind),
      ),
    ).toEqual([])
    const used = pipelines.flatMap((task) => task.steps.map((step) => step.kind))
    expect(
      missing(
        steps.map((one) => one.kind),
        used,
      ),
    ).toEqual([])
    expect(
      missing(
        connectorTypes,
        all.flatMap((task) => task.types),
      ),
    ).toEqual([])
  })

  it('has every mode of a table, every file format, a cursor, new files and hooks', () => {
    const modes = new Set(pipelines.flatMap(({ target }) => ('mode' in target ? [target.mode] : [])))
    expect([...modes].toSorted()).toEqual(['append', 'delete_insert', 'replace', 'upsert'])
    const read = new Set(pipelines.flatMap(({ source }) => (source.kind === 'files' ? [source.format] : [])))
    const written = new Set(pipelines.flatMap(({ target }) => (target.kind === 'file' ? [target.format] : [])))
    expect([...read].toSorted()).toEqual(['csv', 'json', 'jsonl', 'parquet', 'xlsx'])
    expect([...written].toSorted()).toEqual(['csv', 'json', 'jsonl', 'parquet', 'xlsx'])
    expect(pipelines.some((task) => task.state.cursor)).toBe(true)
    expect(pipelines.some(({ source }) => source.kind === 'files' && source.new_only)).toBe(true)
    expect(pipelines.some((task) => task.hooks.before.length + task.hooks.after.length > 0)).toBe(true)
  })

  it('is searched in title, description, tags and text', () => {
    const ids = (search: string) => findTasks(all, search).map((task) => task.id)
    expect(ids('excel')).toContain('files-xlsx-write')
    expect(ids('upsert MYSQL')).toContain('databases-mysql-to-postgres')
    expect(ids('no such thing anywhere')).toEqual([])
    expect(ids('')).toHaveLength(all.length)
  })
})
