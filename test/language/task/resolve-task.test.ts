import { describe, expect, it } from 'vitest'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { evaluateOutputs, resolveTask } from '../../../src/language/task/resolve-task.ts'
import type { PipelineTask } from '../../../src/language/task/kinds/task-document.types.ts'

const run = { id: 7, attempt: 2, logical_date: '2024-03-05T06:07:08.000Z' }

function task(source: string, rest = '', target = 'target: {connector: db, table: t}'): PipelineTask {
  const text = `etl: 1\nkind: pipeline\nname: x\nconnectors:\n  lake: {type: file}\n  db: {type: sqlite, access: write}\nargs: {a: {type: json}}\nsource: ${source}\n${rest}\n${target}\n`
  const parsed = parseTask(text)
  expect(parsed.diagnostics.filter((diagnostic) => diagnostic.severity === 'error')).toEqual([])
  return parsed.task as PipelineTask // just seen to be without errors
}
const inline = (value: string): PipelineTask => task(`{inline: {rows: [{v: ${value}}]}}`)
const resolvedValue = (value: string, a: unknown): unknown => {
  const { task: resolved, problems } = resolveTask(inline(value), { args: { a }, run })
  if (problems.length > 0) return problems
  return resolved.source.kind === 'inline' ? resolved.source.rows[0]?.['v'] : undefined
}

describe('resolveTask', () => {
  it.each([
    ['"${{ args.a }}"', 5, 5],
    ['"${{ args.a }}"', [1, { b: null }], [1, { b: null }]],
    ['"${{ args.a }}"', null, null],
    ['"${{ args.a.nothing }}"', {}, null],
    ['"n: ${{ args.a }}!"', 5, 'n: 5!'],
    ['"${{ args.a }}${{ args.a }}"', true, 'truetrue'],
    ["\"${{ {'k': {'x': args.a}} }}\"", 1, { k: { x: 1 } }],
    ['"$${{ args.a }}"', 5, '${{ args.a }}'],
    ['"$${{ ${{ args.a }}"', 5, '${{ 5'],
    ['"${{ $now() }}"', 0, '2024-03-05T06:07:08.000Z'],
    ['"${{ $now(\'[Y0001]/[M01]/[D01]\') }}"', 0, '2024/03/05'],
    ['"${{ run.attempt + 1 }}"', 0, 3],
  ])('evaluates %s', (written, a, expected) => {
    expect(resolvedValue(written, a)).toEqual(expected)
  })

  it('names the place of what cannot be evaluated', () => {
    expect(resolvedValue('"${{ args.a + 1 }}"', 'text')).toMatchObject([
      {
        path: 'source.inline.rows[0].v',
        message: '`${{ args.a + 1 }}`: `+` takes numbers, not text; texts are joined with `&`.',
      },
    ])
    expect(resolvedValue('"a ${{ args.a }}"', null)).toMatchObject([
      { path: 'source.inline.rows[0].v', message: '`${{ args.a }}` is null, so it can’t be part of a text.' },
    ])
  })

  it('makes text of what stands where text is wanted, and checks the result as if it had been written', () => {
    const document = task('{connector: lake, files: {glob: "${{ args.a }}", format: csv}}')
    const glob = (a: unknown): unknown => {
      const { task: resolved, problems } = resolveTask(document, { args: { a }, run })
      return problems.length > 0
        ? problems.map((problem) => problem.message)
        : resolved.source.kind === 'files' && resolved.source.glob
    }
    expect(glob('x.csv')).toBe('x.csv')
    expect(glob(2024)).toBe('2024')
    expect(glob('../secret')).toEqual(["`../secret` leaves the connector's folder."])
    expect(glob('/etc/passwd')).toEqual(['`/etc/passwd` is an absolute path.'])
    expect(glob(['a'])).toEqual(['The expression gives a list where text is needed.'])
    expect(glob('')).toEqual(['The expression gives an empty text.'])
  })

  it('fills the values of binds', () => {
    const document = task(
      '{inline: {rows: [{v: 1}]}}',
      'steps:\n  - filter: v = :a\n  - expect: [{name: e, check: "v > :m", params: {m: "${{ run.id }}"}}]',
    )
    const { task: resolved, problems } = resolveTask(document, { args: { a: [1] }, run })
    expect(problems).toEqual([])
    expect(resolved.steps).toEqual([
      { kind: 'filter', where: 'v = :a', params: { a: [1] } },
      {
        kind: 'expect',
        expectations: [{ name: 'e', on_fail: 'fail', rule: { kind: 'check', check: 'v > :m', params: { m: 7 } } }],
      },
    ])
  })

  it('does not evaluate what an argument holds', () => {
    expect(resolvedValue('"${{ args.a }}"', '${{ run.id }}')).toBe('${{ run.id }}')
  })

  it('leaves the parsed document as it was', () => {
    const document = inline('"${{ args.a }}"')
    const before = structuredClone(document)
    resolveTask(document, { args: { a: 1 }, run })
    expect(document).toEqual(before)
  })
})

describe('evaluateOutputs', () => {
  it('knows what the run did', () => {
    const document = task(
      '{inline: {rows: [{v: 1}]}}',
      'outputs: {rows: "${{ run.item_count }}", text: "${{ run.item_count }} rows", fixed: {a: [1]}}',
    )
    expect(evaluateOutputs(document, { args: {}, run: { ...run, item_count: 12 } })).toEqual({
      outputs: { rows: 12, text: '12 rows', fixed: { a: [1] } },
      problems: [],
    })
  })

  it('refuses more than 64 KB', () => {
    const document = task('{inline: {rows: [{v: 1}]}}', 'outputs: {big: "${{ args.a }}"}')
    const { problems } = evaluateOutputs(document, { args: { a: 'x'.repeat(70_000) }, run: { ...run, item_count: 0 } })
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toContain('at most 65536')
  })
})
