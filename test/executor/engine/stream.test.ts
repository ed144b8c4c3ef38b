import { describe, expect, it } from 'vitest'
import type { ProfileNode } from '../../../src/executor/engine/profile.ts'
import { readCounts, type OpenCount } from '../../../src/executor/engine/stream.ts'

const node = (name: string, rows: number, ...children: ProfileNode[]): ProfileNode => ({
  operator_name: name,
  operator_cardinality: rows,
  children,
})
const root = (child: ProfileNode): ProfileNode => ({ children: [child] })
const open = (...kinds: OpenCount['kind'][]): OpenCount[] => kinds.map((kind, stage) => ({ kind, stage, sql: '' }))

describe('counts from a profile', () => {
  it('are read one filter a stage', () => {
    const plan = root(
      node('COPY_TO_FILE', 1, node('FILTER', 10, node('PROJECTION', 40, node('FILTER', 40, node('READ_CSV', 100))))),
    )
    expect(readCounts(open('scan', 'filter', 'filter'), plan, 10)).toEqual(
      new Map([
        [0, 100],
        [1, 40],
        [2, 10],
      ]),
    )
  })

  it('are read around a query of the user’s, whatever it does inside', () => {
    const inside = node('HASH_GROUP_BY', 7, node('FILTER', 30, node('FILTER', 40, node('READ_CSV', 100))))
    const plan = root(node('COPY_TO_FILE', 1, node('FILTER', 3, node('PROJECTION', 7, inside))))
    expect(readCounts(open('scan', 'filter', 'query', 'filter'), plan, 3)).toEqual(
      new Map([
        [0, 100],
        [1, 40],
        [2, 7],
        [3, 3],
      ]),
    )
  })

  it.each([
    ['filters were merged', root(node('FILTER', 10, node('READ_CSV', 100)))],
    ['a filter went into the reader', root(node('READ_PARQUET', 10))],
    [
      'the plan branches',
      root(node('FILTER', 10, node('FILTER', 40, node('HASH_JOIN', 40, node('READ_CSV', 100), node('READ_CSV', 5))))),
    ],
    ['it says another result than came out', root(node('FILTER', 11, node('FILTER', 40, node('READ_CSV', 100))))],
    ['it is empty', {}],
  ])('are not believed when %s', (_why, plan) => {
    expect(readCounts(open('scan', 'filter', 'filter'), plan, 10)).toBeNull()
  })
})
