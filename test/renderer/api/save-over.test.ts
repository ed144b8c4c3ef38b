import { describe, expect, test } from 'vitest'
import { type SavedOver, saveOver } from '../../../src/renderer/api/save-over.rules.ts'

interface Row {
  slots: number
  used: number
}

class Conflict extends Error {}

/** A record that others change between two calls, as told. */
function shared(stored: Row, { beforePut }: { beforePut?: Partial<Row> } = {}) {
  let now = stored
  let revision = 1
  const tags = new WeakMap<Row, string>()
  const change = (part: Partial<Row>) => {
    now = { ...now, ...part }
    revision += 1
  }
  const form: SavedOver<Row, Partial<Row>> = {
    read: () => {
      const answer = { ...now }
      tags.set(answer, `"${revision}"`)
      return Promise.resolve(answer)
    },
    held: ({ slots }) => slots,
    put: (_, values, headers) => {
      if (beforePut) change(beforePut)
      if (headers['if-match'] !== `"${revision}"`) return Promise.reject(new Conflict('It was changed'))
      change(values)
      return Promise.resolve(now)
    },
  }
  const means = {
    ifMatch: (row: Row): Record<string, string> => {
      const tag = tags.get(row)
      return tag === undefined ? {} : { 'if-match': tag }
    },
    isConflict: (error: unknown) => error instanceof Conflict,
  }
  return { save: (base: Row, values: Partial<Row>) => saveOver(form, means, base, values), stored: () => now }
}

const opened = { slots: 2, used: 0 }

describe('a form is saved over what it was filled from', () => {
  test('with what becomes of the record besides', async () => {
    const record = shared({ slots: 2, used: 5 })
    expect(await record.save(opened, { slots: 3 })).toEqual({ saved: { slots: 3, used: 5 } })
  })

  test('and not over what somebody else has saved meanwhile', async () => {
    const record = shared({ slots: 7, used: 0 })
    expect(await record.save(opened, { slots: 3 })).toEqual({ theirs: { slots: 7, used: 0 } })
    expect(record.stored().slots).toBe(7)
  })

  test('nor over what he saves between the look and the saving', async () => {
    const record = shared(opened, { beforePut: { slots: 7 } })
    expect(await record.save(opened, { slots: 3 })).toEqual({ theirs: { slots: 7, used: 0 } })
    expect(record.stored().slots).toBe(7)
  })

  test('a refusal for another reason is told as it is', async () => {
    const record = shared(opened, { beforePut: { used: 1 } })
    await expect(record.save(opened, { slots: 3 })).rejects.toThrow('It was changed')
  })
})
