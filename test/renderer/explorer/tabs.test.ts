import { expect, it } from 'vitest'
import { freeTitle } from '../../../src/renderer/features/explorer/tabs.ts'

it('queries of one table have numbers that tell them apart, and closing one frees its number', () => {
  expect(freeTitle('orders', [])).toBe('orders')
  expect(freeTitle('orders', [{ title: 'orders' }])).toBe('orders 2')
  expect(freeTitle('orders', [{ title: 'orders' }, { title: 'orders 2' }])).toBe('orders 3')
  expect(freeTitle('orders', [{ title: 'orders' }, { title: 'orders 3' }])).toBe('orders 2')
})
