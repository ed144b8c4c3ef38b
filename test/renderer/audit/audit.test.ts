import { expect, test } from 'vitest'
import { filtersOf, noFilters } from '../../../src/renderer/features/audit/audit-filters.ts'
import { operationName } from '../../../src/renderer/features/audit/audit-words.ts'

test.each([
  ['updateTask', 'Update task'],
  ['resetUserTotp', 'Reset user TOTP'],
  ['createApiKey', 'Create API key'],
  ['testConnectorById', 'Test connector'],
  ['backup.scheduled', 'Backup scheduled'],
])('%s reads %s', (operation, words) => {
  expect(operationName(operation)).toBe(words)
})

test('of an address only what makes sense filters', () => {
  const search = new URLSearchParams(
    'operation=login&outcome=maybe&user_id=-1&entity=task&entity_id=7&from=yesterday&q= ',
  )
  expect(filtersOf(search)).toEqual({ operation: 'login', entity: 'task', entity_id: 7 })
  expect(filtersOf(new URLSearchParams('outcome=refused&last=24'))).toEqual({ outcome: 'refused', last: 24 })
})

test('clearing takes every filter out', () => {
  const filters = filtersOf(new URLSearchParams('q=a&user_id=1&operation=b&entity=c&entity_id=2&outcome=ok&last=1'))
  expect(Object.keys(noFilters)).toEqual(expect.arrayContaining(Object.keys(filters)))
})
