import { describe, expect, test } from 'vitest'
import { normalizedName, withNormalizedNames } from '../../../src/server/features/exchange/import-names.rules.ts'

test.each([
  ['  Daily Load ', 'daily_load'],
  ['a--b..c//d', 'a_b_c_d'],
  ['Stra\u00DFe', 'stra\u00DFe'],
  ['U\u0308ber', '\u00FCber'],
  ['\u0130', 'i\u0307'],
  ['\u0939\u093F\u0928\u094D\u0926\u0940 1', '\u0939\u093F\u0928\u094D\u0926\u0940_1'],
  ['🚂', '_'],
])('%j is normalized to %j, and that stays as it is', (name, expected) => {
  expect(normalizedName(name)).toBe(expected)
  expect(normalizedName(expected)).toBe(expected)
})

describe('in a text', () => {
  const rename = (task: string) => (task === 'Load A' ? normalizedName(task) : task)
  const normalized = (text: string) => withNormalizedNames(text, rename)

  test('only names are touched: comments, layout and everything else stay byte for byte', () => {
    const text = `# Name: My Job\r\netl: 1\r\nkind: job   # a job\r\nname:   'My  Job' # said here\r\ntasks:\r\n  One: {task: Load A, args: {name: "My Job"}}\r\n  two:\r\n    task: "Load A" # again\r\n  three: {task: Other Task}\r\n`
    expect(normalized(text)).toBe(
      text.replace("'My  Job'", 'my_job').replace('task: Load A', 'task: load_a').replace('"Load A"', 'load_a'),
    )
  })
  test.each([
    ['name: 123 Go', 'name: "123_go"'],
    ['name: "NULL"', 'name: "null"'],
    ['name: >-\n  Folded\n  Name\nkind: x', 'name: folded_name\nkind: x'],
    ['name: &n A B\nother: *n', 'name: &n a_b\nother: *n'],
    ['{name: A B, x: 1}', '{name: a_b, x: 1}'],
  ])('%j becomes %j', (text, expected) => {
    expect(normalized(text).trimEnd()).toBe(expected)
  })
  test.each(['name: [', 'x: &n A B\nname: *n', '- A B', 'name: 12', '', 'name: already_so'])('%j stays', (text) => {
    expect(normalized(text)).toBe(text)
  })
})
