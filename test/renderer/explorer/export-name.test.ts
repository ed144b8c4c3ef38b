import { expect, test } from 'vitest'
import { exportName } from '../../../src/renderer/features/explorer/export-result.ts'

test('the file of an export is named after its query, as every file system takes it', () => {
  expect(exportName('in/orders.csv', 'parquet')).toBe('orders.parquet')
  expect(exportName('orders.jsonl.gz', 'csv')).toBe('orders.csv')
  expect(exportName('Orders: "last" <week>?', 'xlsx')).toBe('Orders_ _last_ _week_.xlsx')
  expect(exportName('public.orders', 'json')).toBe('public.orders.json')
  expect(exportName('..', 'csv')).toBe('result.csv')
  expect(exportName(`a\u0000b${'x'.repeat(300)}`, 'ndjson')).toHaveLength(127)
})
