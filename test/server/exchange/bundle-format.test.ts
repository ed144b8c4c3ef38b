import { describe, expect, test } from 'vitest'
import { readBundleLine } from '../../../src/server/features/exchange/bundle-format.rules.ts'
import { recordLines } from '../../../src/server/features/exchange/bundle-lines.rules.ts'
import { createBundleReader, joinParts } from '../../../src/server/features/exchange/bundle-records.ts'

const mistakes = (value: unknown) => {
  const line = readBundleLine(typeof value === 'string' ? value : JSON.stringify(value))
  return line.kind === 'mistakes' ? line.mistakes.map(({ path, message, column }) => [path, message, column]) : []
}
const task = (more: object = {}) => ({
  kind: 'task',
  name: 'a',
  versions: [{ version: 1, yaml_content: 'etl: 1' }],
  ...more,
})

describe('a line', () => {
  test('full of versions that are none is told with few words, and no more of them is looked at', () => {
    const before = process.threadCpuUsage()
    expect(mistakes(`{"kind":"task","name":"a","versions":[${'1,'.repeat(500_000)}1]}`)).toHaveLength(20)
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(150)
  })

  test('takes what may be left out as not said', () => {
    expect(readBundleLine(JSON.stringify(task({ whatever: 1 })))).toEqual({
      kind: 'part',
      part: {
        kind: 'task',
        name: 'a',
        continues: false,
        more: false,
        tags: null,
        archived: false,
        current_version: null,
        versions: [{ version: 1, yaml_content: 'etl: 1', change_summary: null, created_at: null }],
      },
    })
  })

  test.each([
    ['{"kind": tru}', [['body', expect.stringContaining('is not valid JSON'), 10]]],
    ['[1]', [['body', 'must be a JSON object', 1]]],
    ['{"name":"a"}', [['body.kind', expect.stringContaining('is missing'), 1]]],
    ['{"name":"kind","kind":"trigger"}', [['body.kind', expect.stringContaining('is unknown'), 16]]],
    [{ kind: 'bundle', format: 2 }, [['body.format', expect.stringContaining('a newer Headgate'), 18]]],
    [{ kind: 'bundle' }, [['body.format', 'must be 1', 1]]],
    [task({ name: ' ' }), [['body.name', expect.stringContaining('not empty'), 16]]],
    [task({ name: 7 }), [['body.name', expect.stringContaining('not empty'), 16]]],
    [task({ versions: [] }), [['body.versions', expect.stringContaining('at least one'), expect.any(Number)]]],
    [task({ versions: [7] }).versions, [['body', 'must be a JSON object', 1]]],
    [
      task({ versions: [{ version: 0, yaml_content: 'x' }] }),
      [['body.versions[0].version', 'must be a whole number, 1 or greater', 27]],
    ],
    [task({ versions: [{ version: 1 }] }), [['body.versions[0].yaml_content', expect.any(String), 27]]],
    [task({ tags: ['x', 'x'] }), [['body.tags[1]', 'appears twice', expect.any(Number)]]],
    [task({ tags: ['x'.repeat(61)] }), [['body.tags[0]', expect.any(String), expect.any(Number)]]],
    [task({ more: 1 }), [['body.more', 'must be true or false', expect.any(Number)]]],
    [task({ more: 'false' }), [['body.more', 'must be true or false', expect.any(Number)]]],
    [task({ continues: null }), [['body.continues', 'must be true or false', expect.any(Number)]]],
    [task({ archived: 'no' }), [['body.archived', 'must be true or false', expect.any(Number)]]],
    [
      String.raw`{"kind":"task","name":"\ud800","versions":[{"version":1,"yaml_content":"x"}]}`,
      [['body.name', expect.stringContaining('lone surrogate'), 16]],
    ],
    [
      task({ versions: [{ version: 1, yaml_content: 'x', created_at: 'yesterday' }] }),
      [['body.versions[0].created_at', expect.stringContaining('2026-03-01'), 27]],
    ],
  ])('%j is refused with its place', (line, expected) => {
    expect(mistakes(line)).toEqual(expected)
  })

  test('of which very much is wrong tells the first of it, and does not take its time for the rest', () => {
    const line = `{"kind":"task","pad":"${'x'.repeat(100_000)}","name":"a","versions":[${'1,'.repeat(100_000)}1]}`
    const found = mistakes(line)
    expect(found).toHaveLength(20)
    expect(found[0]).toEqual(['body.versions[0]', 'must be a JSON object', line.indexOf('"versions"') + 1])
  })

  test('of deep nesting or a foreign prototype harms nobody', () => {
    expect(mistakes('['.repeat(100_000))).toHaveLength(1)
    expect(mistakes('{"__proto__":{"kind":"task"},"name":"a"}')).toEqual([['body.kind', expect.any(String), 1]])
  })
})

describe('lines together', () => {
  const read = (...lines: object[]) => {
    const reader = createBundleReader()
    lines.forEach((line, index) => reader.line(JSON.stringify(line), index + 1, 0, 0))
    return reader.end()
  }
  test.each([
    [[task(), task()], 2, '"a" is already in line 1'],
    [
      [
        { kind: 'bundle', format: 1 },
        { kind: 'bundle', format: 1 },
      ],
      2,
      'can have "bundle" in the first line only',
    ],
    [[task({ current_version: 2 })], 1, 'is 2, which is not among the versions'],
    [[task(), task({ name: 'b', continues: true })], 2, 'continues a record other than the one before it'],
    [[task({ versions: [...task().versions, ...task().versions] })], 1, '1 appears twice'],
    [[], 1, 'is empty: a bundle has at least one line'],
  ])('%#: a mistake is named with its line', (lines, line, message) => {
    expect(read(...lines).mistakes).toEqual([expect.objectContaining({ line, message })])
  })

  test('are refused where there are more records, or more versions of one, than memory is meant for', () => {
    const line = (name: string, version: number, more = '') =>
      `{"kind":"task","name":"${name}",${more}"versions":[{"version":${version},"yaml_content":"x"}]}`
    const many = createBundleReader({ records: 2, versions: 3 })
    for (const [index, name] of ['a', 'b', 'c'].entries()) many.line(line(name, 1), index + 1, 0, 1)
    expect(many.end().mistakes).toMatchObject([{ line: 3, path: 'body', message: expect.stringContaining('too many') }])
    const long = createBundleReader({ records: 2, versions: 3 })
    for (const n of [1, 2, 3, 4]) long.line(line('a', n, n === 1 ? '' : '"continues":true,'), n, 0, 1)
    expect(long.end().mistakes).toMatchObject([{ line: 4, path: 'body.versions[0].version' }])
  })

  test('are refused where the pieces of one version make a text that nobody could read again', () => {
    const reader = createBundleReader()
    const yaml_content = 'é'.repeat(450_000)
    for (const n of [1, 2, 3, 4, 5]) {
      const versions = [{ version: 1, yaml_content }]
      reader.line(JSON.stringify(task({ ...(n > 1 && { continues: true }), more: n < 5, versions })), n, 0, 1)
    }
    expect(reader.end().mistakes).toMatchObject([
      { line: 5, path: 'body.versions[0].yaml_content', message: 'is more than 4 MiB in version 1' },
    ])
  })

  test('a template and a task may have the same name', () => {
    expect(read(task(), task({ kind: 'job_template' })).mistakes).toEqual([])
  })
})

describe('a record that is too long for a line', () => {
  const head = {
    kind: 'task' as const,
    name: 'a',
    description: 'd',
    tags: ['t'],
    archived: true,
    current_version: 2,
  }
  test.each([
    ['many versions', Array.from({ length: 30 }, (_, i) => ({ version: i + 1, text: `${i}`.repeat(100_000) }))],
    ['one text that JSON makes six times as long', [{ version: 2, text: '\u0001'.repeat(1_048_576) }]],
    ['characters of two halves', [{ version: 2, text: `x${'🚂'.repeat(400_000)}` }]],
  ])('%s: goes over several lines of at most 1 MiB, and is whole again when read', (_, given) => {
    const versions = given.map(({ version, text }) => ({
      version,
      yaml_content: text,
      change_summary: 's',
      created_at: '2026-01-01T00:00:00.000Z',
    }))
    const lines = [...recordLines(head, versions)]
    expect(lines.length).toBeGreaterThan(1)
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(1_048_576)
    const reader = createBundleReader()
    lines.forEach((line, index) => reader.line(line, index + 1, 0, 0))
    expect(reader.end()).toMatchObject({ mistakes: [], records: [{ kind: 'task', name: 'a', line: 1 }] })
    const joined = joinParts(lines)
    expect(joined).toMatchObject({ tags: ['t'], archived: true, current_version: 2 })
    expect(joined.versions).toEqual(versions)
  })
})
