import { describe, expect, it } from 'vitest'
import type { ConnectorSlot } from '../../../src/language/task/task.types.ts'
import { checkBinding, mergeSecrets } from '../../../src/server/features/connectors/connectors.rules.ts'

const slots: Record<string, ConnectorSlot> = {
  input: { types: ['file'], access: 'read' },
  db: { types: ['sqlite', 'postgres'], access: 'write' },
}
const connector = (id: number, type: string, more: object = {}) => ({
  id,
  name: `c${id}`,
  type,
  archived: 0 as const,
  config: {},
  ...more,
})
const known = (...connectors: ReturnType<typeof connector>[]) => new Map(connectors.map((c) => [c.id, c]))

describe('binding connectors to slots', () => {
  it('accepts a mapping that fits every slot', () => {
    expect(checkBinding({ input: 1, db: 2 }, slots, known(connector(1, 'file'), connector(2, 'sqlite')))).toEqual([])
  })
  it('names the slot that is not bound and what it takes', () => {
    expect(checkBinding({ input: 1 }, slots, known(connector(1, 'file')))).toMatchObject([
      {
        path: 'body.connector_mapping.db',
        code: 'slot_not_bound',
        message: 'Slot db has no connector. Choose one of type sqlite or postgres.',
      },
    ])
  })
  it('names a slot that the task does not have', () => {
    const [detail] = checkBinding(
      { input: 1, db: 2, other: 1 },
      slots,
      known(connector(1, 'file'), connector(2, 'sqlite')),
    )
    expect(detail).toMatchObject({
      path: 'body.connector_mapping.other',
      code: 'slot_unknown',
      message: 'The task has no slot other; it has input, db',
    })
  })
  it.each([
    ['an id that does not exist', known(connector(1, 'file')), 'There is no connector with id 2'],
    [
      'a connector of another type',
      known(connector(1, 'file'), connector(2, 'file')),
      'Slot db needs a sqlite or postgres connector; c2 is file',
    ],
    [
      'an archived connector',
      known(connector(1, 'file'), connector(2, 'sqlite', { archived: 1 })),
      'Connector c2 is archived. Restore it or choose another one.',
    ],
    [
      'a read-only connector in a slot that is written',
      known(connector(1, 'file'), connector(2, 'sqlite', { config: { read_only: true } })),
      'The task writes to slot db, but connector c2 is read-only',
    ],
  ])('refuses %s', (_, connectors, message) => {
    expect(checkBinding({ input: 1, db: 2 }, slots, connectors)).toMatchObject([
      { path: 'body.connector_mapping.db', message },
    ])
  })
  it('does not take a property of every object for a slot', () => {
    expect(
      checkBinding({ input: 1, db: 2, constructor: 1 }, slots, known(connector(1, 'file'), connector(2, 'sqlite'))),
    ).toHaveLength(1)
  })
})

describe('secrets after a save', () => {
  it('keeps what is left out, takes what is given, removes what is null', () => {
    expect(mergeSecrets({ a: '1', b: '2', c: '3' }, { b: 'new', c: null })).toEqual({ a: '1', b: 'new' })
    expect(mergeSecrets({ a: '1' }, undefined)).toEqual({ a: '1' })
  })
})
