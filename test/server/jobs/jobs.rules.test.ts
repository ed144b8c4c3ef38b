import { describe, expect, test } from 'vitest'
import type { CatalogueVersion, JobDocument, TaskNode } from '../../../src/language/job/job.types.ts'
import { compareTasks } from '../../../src/server/features/jobs/job-upgrade.rules.ts'
import { carriedOver, keptParameters, neededConnectors } from '../../../src/server/features/jobs/jobs.rules.ts'

const task = (key: string, connectors: Record<string, string>) => ({ kind: 'task', key, connectors }) as TaskNode
const template = (nodes: TaskNode[]) =>
  // As much of a document as the rule reads.
  ({
    connectors: {
      lake: { types: ['file', 's3', 'sftp'], access: 'read' },
      dw: { types: ['postgres'], access: 'read' },
    },
    tasks: Object.fromEntries(nodes.map((node) => [node.key, node])),
  }) as unknown as JobDocument
const version = (connectors: CatalogueVersion['connectors']): CatalogueVersion => ({ connectors, arguments: {} })

describe('what a connector of a template must be', () => {
  test('is narrowed to what every task bound to it takes, and written to where any of them writes', () => {
    const document = template([task('a', { in: 'lake' }), task('b', { out: 'lake', db: 'dw' })])
    const versions: Record<string, CatalogueVersion> = {
      a: version({ in: { types: ['file', 's3'], access: 'read' } }),
      b: version({ out: { types: ['s3', 'sftp'], access: 'write' }, db: { types: ['postgres'], access: 'read' } }),
    }
    expect(neededConnectors(document, (key) => versions[key])).toEqual({
      lake: { types: ['s3'], access: 'read_write' },
      dw: { types: ['postgres'], access: 'read' },
    })
    expect(document.connectors['lake']).toEqual({ types: ['file', 's3', 'sftp'], access: 'read' })
  })
  test('is only written to where no task reads it', () => {
    const document = template([task('a', { out: 'lake' }), task('b', { out: 'lake' })])
    const writes = version({ out: { types: ['s3'], access: 'write' } })
    expect(neededConnectors(document, () => writes)['lake']).toEqual({ types: ['s3'], access: 'write' })
  })
  test('is what the template says where no task is known', () => {
    const document = template([task('a', { in: 'lake' })])
    expect(neededConnectors(document, () => undefined)).toEqual(document.connectors)
  })
})

describe('values of a job', () => {
  test('a field left empty is not kept', () => {
    expect(keptParameters({ a: null, b: 0, c: '', d: [null] })).toEqual({ b: 0, c: '', d: [null] })
  })
  test('are carried over where they are still asked for, with the given ones over them', () => {
    expect(carriedOver({ a: 1, b: 2, constructor: 3 }, { b: {}, c: {} }, { c: 4, d: 5 })).toEqual({ b: 2, c: 4, d: 5 })
  })
})

describe('what an upgrade does to tasks', () => {
  const pinned = (task_id: number, version: number) => ({ task_id, task_name: `t${task_id}`, version })
  test('is told in the order of the new template, with texts where they differ', () => {
    const held = { gone: pinned(1, 1), same: pinned(2, 5), newer: pinned(3, 1), other: pinned(4, 2) }
    const next = { added: pinned(9, 1), same: pinned(2, 5), newer: pinned(3, 4), other: pinned(5, 2) }
    const changes = compareTasks(held, next, (id, number) => `${id} v${number}`)
    expect(changes).toEqual([
      {
        task_key: 'added',
        task_name: 't9',
        change: 'added',
        from_version: null,
        to_version: 1,
        before: null,
        after: '9 v1',
      },
      {
        task_key: 'same',
        task_name: 't2',
        change: 'unchanged',
        from_version: 5,
        to_version: 5,
        before: null,
        after: null,
      },
      {
        task_key: 'newer',
        task_name: 't3',
        change: 'changed',
        from_version: 1,
        to_version: 4,
        before: '3 v1',
        after: '3 v4',
      },
      {
        task_key: 'other',
        task_name: 't5',
        change: 'changed',
        from_version: 2,
        to_version: 2,
        before: '4 v2',
        after: '5 v2',
      },
      {
        task_key: 'gone',
        task_name: 't1',
        change: 'removed',
        from_version: 1,
        to_version: null,
        before: '1 v1',
        after: null,
      },
    ])
  })
})
