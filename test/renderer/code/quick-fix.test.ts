import { Text } from '@codemirror/state'
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { TaskPreview } from '../../../src/contract/task-preview.ts'
import { msg } from '../../../src/language/messages.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { stageFindings } from '../../../src/renderer/features/tasks/stage-findings.ts'
import { stageLines } from '../../../src/renderer/features/tasks/stage-lines.ts'
import { translateHint } from '../../../src/renderer/i18n/translate.ts'
import { findWord, quickFix } from '../../../src/renderer/ui/code/quick-fix.ts'
import { offsetsOf } from '../../../src/renderer/ui/code/text-positions.ts'

const folder = 'test/language/fixtures/task/invalid'
const fixable = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) => {
    const text = readFileSync(`${folder}/${file}`, 'utf8')
    return parseTask(text)
      .diagnostics.filter((one) => one.hint?.includes('Did you mean'))
      .map((finding, index) => ({ name: `${file} ${index + 1}`, text, finding }))
  })

const apply = (
  text: string,
  finding: Parameters<typeof offsetsOf>[1] & { message: string; params?: Record<string, unknown> },
) => {
  const { from, to } = offsetsOf(Text.of(text.split('\n')), finding)
  const fix = quickFix(text, finding, from, to)
  return fix && text.slice(0, fix.from) + fix.insert + text.slice(fix.to)
}

describe('a finding that names a near match', () => {
  it('is there in many fixtures', () => expect(fixable.length).toBeGreaterThan(15))

  it.each(fixable)('is mended by one click: $name', ({ text, finding }) => {
    const mended = apply(text, finding)
    expect(mended).not.toBeNull()
    const same = parseTask(mended ?? '').diagnostics.filter(
      (one) => one.message === finding.message && one.path === finding.path,
    )
    expect(same).toEqual([])
  })

  it('is left alone where the word has been typed over meanwhile', () => {
    expect(
      quickFix('nothing here', { message: 'no `x`', params: { fix: msg('did_you_mean', { near: 'y' }) } }, 0, 5),
    ).toBeNull()
    expect(quickFix('text', { message: 'no `text`' }, 0, 4)).toBeNull()
  })
})

it('words are found whole', () => {
  expect(findWord('idx id', 'id', 0, 6)).toBe(4)
  expect(findWord('idx', 'id', 0, 3)).toBeNull()
  expect(findWord('a $sum', '$sum', 0, 6)).toBe(2)
})

describe('what a stage said', () => {
  const text =
    'etl: 1\nkind: pipeline\nname: x\nsource: {inline: {rows: [{city: a, inhabitants: 1}]}}\nsteps:\n  - filter: inhabitnts > 1\n'
  const stage = (index: number, more: Partial<TaskPreview['stages'][number]>): TaskPreview['stages'][number] => ({
    index,
    key: '',
    label: '',
    columns: [],
    rows: [],
    row_count: 0,
    truncated: false,
    rejected: 0,
    rejects: [],
    duration_ms: 0,
    ...more,
  })
  const source = stage(0, { columns: [{ name: 'inhabitants', type: 'BIGINT' }] })
  const failed = (message: string, hint?: string) =>
    stageFindings(text, stageLines(text), [source, stage(1, { error: { code: 'SQL_INVALID', message, hint } })])

  it('is underlined at the word that it is about, with the column that was meant', () => {
    const [finding] = failed('Referenced column "inhabitnts" not found in FROM clause!', 'Check names.')
    expect(finding).toMatchObject({ line: 6, column: 13, end_line: 6, end_column: 23, path: 'steps[0]' })
    expect(finding && translateHint(finding)).toBe('Did you mean `inhabitants`? Check names.')
    expect(finding && apply(text, finding)).toContain('- filter: inhabitants > 1')
  })

  it('is underlined at the step where it names nothing of the text', () => {
    const [finding] = failed('Out of disk')
    expect(finding).toMatchObject({ message: 'Out of disk', line: 6, column: 5, end_column: 11 })
    expect(finding).not.toHaveProperty('hint')
  })

  it('is nothing where nothing failed', () => {
    expect(stageFindings(text, stageLines(text), [source])).toEqual([])
  })
})

describe('a finding whose hint puts the value in quotes', () => {
  it('is fixed by these quotes, also where a comma had cut the value', () => {
    const text = readFileSync(`${folder}/comma-in-value.yaml`, 'utf8')
    const { diagnostics } = parseTask(text)
    expect(diagnostics).toHaveLength(1)
    const [finding] = diagnostics
    const fixed = finding && apply(text, finding)
    expect(fixed).toContain('- cast: {amount: "decimal(12,2)", id: integer}')
    expect(parseTask(fixed ?? '').diagnostics).toEqual([])
  })
})
