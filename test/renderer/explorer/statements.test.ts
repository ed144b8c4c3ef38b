import { describe, expect, it } from 'vitest'
import {
  parameterValue,
  parametersOf,
  queryOf,
  tableOf,
  textToRun,
} from '../../../src/renderer/features/explorer/statements.rules.ts'
import { tabsOf } from '../../../src/renderer/features/explorer/tabs.ts'

describe('queries that the Explorer writes', () => {
  it('name a resource as its system does', () => {
    expect(queryOf('postgres', 'orders')).toBe('SELECT * FROM orders')
    expect(queryOf('postgres', 'sales."My Orders"')).toBe('SELECT * FROM sales."My Orders"')
    expect(tableOf('postgres', 'user')).toBe('"user"')
    expect(tableOf('mysql', 'shop.select')).toBe('shop.`select`')
    expect(tableOf('sqlite', 'a.b "c"')).toBe('"a.b ""c"""')
    expect(queryOf('s3', "it's/2024.csv")).toBe("SELECT * FROM 'it''s/2024.csv'")
    expect(queryOf('file', 'book.xlsx#Sheet 2')).toBe("SELECT * FROM 'book.xlsx#Sheet 2'")
    expect(JSON.parse(queryOf('mongodb', 'orders'))).toEqual({ find: 'orders', filter: {} })
    expect(queryOf('odata', 'Orders')).toBe('Orders')
  })

  it('run the marked part, and ask once for each parameter', () => {
    expect(textToRun('SELECT 1; SELECT 2', { text: 'SELECT 2', from: 10 })).toEqual({ text: 'SELECT 2', from: 10 })
    expect(textToRun('SELECT 1', { text: '  ', from: 3 })).toEqual({ text: 'SELECT 1', from: 0 })
    expect(parametersOf("SELECT ':no', a::text FROM t WHERE b = :b OR c = :b", 'postgres')).toEqual(['b'])
    expect(parametersOf('{"find": ":x"}', 'mongodb')).toEqual([])
    expect(parametersOf("Orders?$filter=a eq ':no' and b gt :least&$top=1", 'odata')).toEqual(['least'])
    expect(parametersOf('/orders/:id?status=:status&at=12:30\nrecords: a', 'http')).toEqual(['id', 'status'])
  })

  it('take values by their kind, and lose no digit', () => {
    expect(parameterValue('number', ' 12.5 ')).toBe(12.5)
    expect(parameterValue('number', '9007199254740993')).toBe('9007199254740993')
    expect(parameterValue('number', 'twelve')).toBeUndefined()
    expect(parameterValue('boolean', 'TRUE')).toBe(true)
    expect(parameterValue('boolean', 'yes')).toBeUndefined()
    expect(parameterValue('date', ' 2026-01-31T12:30:00.123456Z ')).toBe('2026-01-31T12:30:00.123456Z')
    expect(parameterValue('date', '2026-02-30')).toBeUndefined()
    expect(parameterValue('null', 'x')).toBeNull()
    expect(parameterValue('string', '')).toBe('')
  })
})

describe('tabs that were kept', () => {
  it('are taken as far as they can be read', () => {
    const tab = { id: 'a', connectorId: 1, title: 'orders', text: 'SELECT 1', resource: null, presetId: null }
    expect(tabsOf(JSON.stringify({ tabs: [tab, { id: 5 }, null], active: 'gone' }))).toEqual({
      tabs: [tab],
      active: 'a',
    })
    expect(tabsOf('not json')).toEqual({ tabs: [], active: null })
    expect(tabsOf(null)).toEqual({ tabs: [], active: null })
  })
})
