import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { applyPatch, patchAhead } from '../../../src/renderer/api/patch-cache.ts'

const listKey = ['listTriggers', { query: {} }, 'list']
const recordKey = ['getTrigger', { params: { id: 2 } }]
const patch = (enabled: number) => ({ record: 'getTrigger', list: 'listTriggers', id: 2, fields: { enabled } }) as const

function clientWith() {
  const client = new QueryClient()
  const result = [
    { id: 1, enabled: 1, name: 'one' },
    { id: 2, enabled: 1, name: 'two' },
  ]
  client.setQueryData(listKey, { pages: [{ result, total: 2, nextCursor: null }], pageParams: [null] })
  client.setQueryData(recordKey, { id: 2, enabled: 1, name: 'two' })
  const shown = () => {
    const list = client.getQueryData<{ pages: { result: { id: number; enabled: number; name: string }[] }[] }>(listKey)
    return list?.pages[0]?.result ?? []
  }
  return { client, shown }
}

describe('a change that is shown before the server has answered', () => {
  test('stands in lists and single answers at once', () => {
    const { client, shown } = clientWith()
    patchAhead(client, patch(0))
    expect(shown().map(({ enabled }) => enabled)).toEqual([1, 0])
    expect(client.getQueryData(recordKey)).toMatchObject({ enabled: 0 })
  })

  test('is taken back, and what came meanwhile stays', () => {
    const { client, shown } = clientWith()
    const takeBack = patchAhead(client, patch(0))
    applyPatch(client, { record: 'getTrigger', list: 'listTriggers', id: 2, fields: { name: 'renamed' } })
    takeBack()
    expect(shown()[1]).toEqual({ id: 2, enabled: 1, name: 'renamed' })
    expect(client.getQueryData(recordKey)).toEqual({ id: 2, enabled: 1, name: 'renamed' })
  })

  test('of a record that nobody shows changes nothing', () => {
    const { client, shown } = clientWith()
    patchAhead(client, { ...patch(0), id: 9 })()
    expect(shown().map(({ enabled }) => enabled)).toEqual([1, 1])
  })
})
