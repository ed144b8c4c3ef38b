import { execFileSync } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordPaths } from '../../../src/renderer/features/incoming/json-records.rules.ts'
import { placedRecords, raggedOf, readHead } from '../../../src/renderer/features/incoming/text-sniff.rules.ts'
import { type NumberStyle, writtenOf } from '../../../src/renderer/features/incoming/written-sniff.rules.ts'

const of = (values: string[], delimiter = ';', chosen?: NumberStyle) =>
  writtenOf({ names: ['v'], records: values.map((value) => [value]), delimiter, chosen })

describe('numbers', () => {
  const found: [string[], string, string, string | null][] = [
    [['1.234,56', '7'], ';', ',', '.'],
    [['1234,5', '7,25'], ';', ',', null],
    [['1,234.56'], ',', '.', ','],
    [['1,234,567'], ';', '.', ','],
    [['12,34,567.89'], ',', '.', ','],
    [['1 234,56'], ';', ',', ' '],
    [["1'234.50"], ';', '.', "'"],
    [['1.5', '2.25'], ';', '.', null],
    [['0.125', '0.250'], ';', '.', null],
    [['1', '2'], ';', '.', null],
    [['1,234', '98,765'], ',', '.', ','],
  ]
  test.each(found)('%j between %j', (values, delimiter, decimal, thousands) => {
    expect(of(values, delimiter)).toMatchObject({
      numbers: { decimal, thousands },
      columns: {},
      unclear: { number: null },
    })
  })

  test.each(['1.234', '1,234'])('%s alone is not taken for either, until somebody says', (value) => {
    expect(of([value, '7'])).toMatchObject({
      numbers: { decimal: '.', thousands: null },
      columns: { v: { kind: 'text' } },
      unclear: { number: value },
    })
    const chosen = { decimal: ',', thousands: '.' } as const
    expect(of([value, '7'], ';', chosen)).toMatchObject({ numbers: chosen, columns: {}, unclear: { number: null } })
  })

  test('what one column makes clear holds for the others', () => {
    const records = [['1.234', '1,5']]
    expect(writtenOf({ names: ['a', 'b'], records, delimiter: ';' })).toMatchObject({
      numbers: { decimal: ',', thousands: '.' },
      columns: {},
      unclear: { number: null },
    })
  })

  test('where columns disagree, each has its own form, and what is open stays so', () => {
    const records = [['1.234', '1,5', '2.75', '3,25']]
    expect(writtenOf({ names: ['a', 'b', 'c', 'd'], records, delimiter: ';' })).toMatchObject({
      numbers: { decimal: ',', thousands: '.' },
      columns: { a: { kind: 'text' }, c: { kind: 'number', decimal: '.', thousands: null } },
      unclear: { number: '1.234' },
    })
  })
})

describe('days', () => {
  const found: [string[], string | null, string | null][] = [
    [['05.03.2024'], '%d.%m.%Y', null],
    [['5.3.24'], '%d.%m.%y', null],
    [['03/25/2024', '04/02/2024'], '%m/%d/%Y', null],
    [['25/03/2024', '02/04/2024'], '%d/%m/%Y', null],
    [['2024/03/05'], '%Y/%m/%d', null],
    [['2024-03-05'], null, null],
    [['05-Mar-2024'], '%d-%b-%Y', null],
    [['2024年3月5日'], '%Y年%m月%d日', null],
    [['05.03.2024 14:30'], null, '%d.%m.%Y %H:%M'],
    [['05.03.2024 14:30:00'], null, '%d.%m.%Y %H:%M:%S'],
    [['3/25/2024 2:05 PM'], null, '%m/%d/%Y %I:%M %p'],
    [['2024-03-05 14:30:00'], null, null],
  ]
  test.each(found)('%j', (values, date, datetime) => {
    expect(of(values)).toMatchObject({ date, datetime, columns: {}, unclear: { day: null } })
  })

  test('day and month that can be mistaken are told, unless another column tells', () => {
    expect(of(['03/04/2024'])).toMatchObject({ date: null, unclear: { day: '03/04/2024' } })
    const both = [['03/04/2024', '25/04/2024']]
    expect(writtenOf({ names: ['a', 'b'], records: both, delimiter: ';' })).toMatchObject({
      date: '%d/%m/%Y',
      columns: {},
      unclear: { day: null },
    })
  })

  test('of several forms in a file the rarer ones belong to their columns', () => {
    const records = [['05.03.2024', '06.03.2024', '3/25/2024', '31.02.24x']]
    expect(writtenOf({ names: ['a', 'b', 'c', 'd'], records, delimiter: ';' })).toMatchObject({
      date: '%d.%m.%Y',
      columns: { c: { kind: 'date', pattern: '%m/%d/%Y' } },
    })
  })
})

describe('encodings, as Python writes them', () => {
  const texts: [string, string, string][] = [
    ['cp1252', 'windows-1252', 'Ort;Betrag\nMünchen;5 €\nGenève;7\n'],
    ['cp1250', 'windows-1250', 'miasto\nŁódź\nŚwiętochłowice\n'],
    ['cp1250', 'windows-1250', 'Částka;Měna\nMzda – březen\n'],
    ['cp1250', 'windows-1250', 'Popis\nNákup Žižkov\nčervenec\n'],
    ['cp1252', 'windows-1252', 'giorno\nlunedì, martedì\nperché è così\n'],
    ['cp1251', 'windows-1251', 'Город\nМосква\nНижний Новгород\n'],
    ['cp1253', 'windows-1253', 'Πόλη\nΑθήνα\nΘεσσαλονίκη\nΗράκλειο\n'],
    ['cp1254', 'windows-1254', 'şehir\nİstanbul\nDiyarbakır\nMuğla\n'],
    ['cp932', 'shift_jis', '都市\n東京テスト\nひらがな\n'],
    ['euc_jp', 'euc-jp', '都市\n東京テスト\nひらがな\n'],
    ['euc_kr', 'euc-kr', '도시\n서울특별시\n부산광역시\n인천\n'],
    ['gb18030', 'gb18030', '城市\n北京\n上海\n广州\n深圳\n重庆\n'],
    ['big5', 'big5', '城市\n台北\n高雄\n台中\n新竹\n'],
    ['utf-8', 'utf-8', 'München\n'],
    ['utf-16', 'utf-16', '서울\n'],
  ]
  const python = join(homedir(), '.cache/headgate/python/bin/python')
  test.each(texts)('%s', (codec, encoding, text) => {
    const bytes = execFileSync(python, [
      '-c',
      'import sys; sys.stdout.buffer.write(sys.argv[1].encode(sys.argv[2]))',
      text,
      codec,
    ])
    const head = new Uint8Array(bytes)
    const read = readHead(head, true)
    expect(read?.encoding).toBe(encoding)
    expect(read?.text.replace(/^\uFEFF/, '')).toBe(text)
  })
})

test('lines of other lengths are counted, with the line of the first', () => {
  const text = 'a;b\n1;"x\ny"\n2\n3;4;5\n'
  expect(raggedOf(placedRecords(text, ';', true, '"'))).toEqual({
    count: 2,
    first: { line: 4, fields: 1 },
    expected: 2,
  })
  expect(raggedOf(placedRecords('a;b\n1;2\n', ';', true, '"'))).toBeNull()
})

test('lists of objects are found wherever they stand, also in a document that is cut', () => {
  const text = '{"a": "[{", "meta": {"n": [1, 2]}, "data": {"items": [{"tags": [{"x": 1}]}, {"y": "}'
  expect(recordPaths(text)).toEqual(['data.items'])
  expect(recordPaths('[{"a": [{"b": 1}]}]')).toEqual([])
  expect(recordPaths('{"x y": [{"a": 1}], "ok": [{"a": 1}], "late": [{}]}')).toEqual(['ok', 'late'])
})
