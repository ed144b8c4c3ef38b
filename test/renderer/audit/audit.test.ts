import { expect, test } from 'vitest'
import { auditQuery } from '../../../src/renderer/features/audit/audit-filters.ts'
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
    'operation=login&outcome=maybe&user_id=-1&entity=task&entity_id=7&from=yesterday&q= &record=8',
  )
  expect(auditQuery(search, 0)).toEqual({ operation: ['login'], entity: 'task', entity_id: 7 })
  const both = new URLSearchParams('outcome=refused,failed&last=24&user_id=3,7,x')
  expect(auditQuery(both, Date.UTC(2026, 0, 2))).toEqual({
    outcome: ['refused', 'failed'],
    user_id: [3, 7],
    from: '2026-01-01T00:00:00.000Z',
  })
})
