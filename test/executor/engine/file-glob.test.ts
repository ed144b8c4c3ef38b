import { describe, expect, it } from 'vitest'
import { filePattern } from '../../../src/executor/connectors/stores/glob.ts'

describe('patterns of files', () => {
  it.each([
    ['*.csv', ['a.csv', 'ü\u{1F600}.csv', '.csv.csv'.slice(1)], ['d/a.csv', 'a.tsv', '.a.csv', 'a.csv.gz']],
    ['a?.csv', ['ab.csv', 'a\u{1F600}.csv'], ['a.csv', 'abc.csv', 'a/.csv']],
    ['[a-c]1.csv', ['a1.csv', 'c1.csv'], ['d1.csv', 'A1.csv']],
    ['[!a-c]1.csv', ['d1.csv'], ['a1.csv']],
    ['[]x].csv', ['].csv', 'x.csv'], ['[].csv']],
    ['[[]1].csv', ['[1].csv'], ['1.csv']],
    ['a[1.csv', ['a[1.csv'], ['a1.csv']],
    ['{a,b/c}.csv', ['a.csv', 'b/c.csv'], ['c.csv']],
    ['x{,.bak}.{csv,{j,J}son}', ['x.csv', 'x.bak.Json'], ['x.bak']],
    ['{a}.csv', ['{a}.csv'], ['a.csv']],
    ['**/*.csv', ['a.csv', 'd/a.csv', 'd/e/f.csv'], ['.d/a.csv', 'd/.a.csv']],
    ['d/**', ['d/a', 'd/e/f'], ['d', 'e/a']],
    ['d/**/e/*.csv', ['d/e/a.csv', 'd/x/y/e/a.csv'], ['d/a.csv', 'd/e/x/a.csv']],
    ['.d/*.csv', ['.d/a.csv'], ['.d/.a.csv', 'd/a.csv']],
    ['Müller*.csv'.normalize('NFD'), ['Müller 1.csv'.normalize('NFC')], []],
    ['*a*b*c', ['xaybzc', 'abc'], ['acb']],
  ])('%s', (pattern, matching, others) => {
    const { matches } = filePattern(pattern)
    expect(matching.filter((path) => !matches(path))).toEqual([])
    expect(others.filter((path) => matches(path))).toEqual([])
  })

  it('knows where its files can be', () => {
    expect(filePattern('a/b/2024-*.csv')).toMatchObject({
      base: 'a/b',
      prefix: 'a/b/2024-',
      flat: true,
      literal: false,
    })
    expect(filePattern('a/{bc,bd}/*.csv')).toMatchObject({ base: 'a', prefix: 'a/b', flat: false })
    expect(filePattern('a/b.csv')).toMatchObject({ literal: true, base: 'a', flat: true })
    expect(filePattern('a/**/x.csv')).toMatchObject({ base: 'a', recursive: true, flat: false })
    const { below } = filePattern('a/*/c/*.csv')
    expect(['', 'a', 'a/x', 'a/x/c', 'b', 'a/x/d', 'a/x/c/e'].map(below)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('takes no longer for a pattern that means harm, and refuses too many alternatives', () => {
    // Tried one by one, the ways to match would take longer than the universe has.
    expect(filePattern(`${'*a'.repeat(300)}b`).matches('a'.repeat(1000))).toBe(false)
    expect(filePattern('**/'.repeat(100) + 'x').matches('a/'.repeat(300) + 'y')).toBe(false)
    expect(() => filePattern('{a,b}'.repeat(20))).toThrow('expands to too many others')
  })
})
