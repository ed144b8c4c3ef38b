import { describe, expect, it } from 'vitest'
import { completeJob } from '../../../src/language/complete-job.ts'
import { completeTask } from '../../../src/language/complete.ts'
import { hoverJob } from '../../../src/language/hover-job.ts'
import { hoverTask } from '../../../src/language/hover.ts'
import { parseJob } from '../../../src/language/job/parse-job.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'

const size = 200_000
const head =
  'etl: 1\nkind: pipeline\nname: x\nconnectors: {db: {type: sqlite, access: write}}\ntarget: {connector: db, table: t}\nsource: {inline: {rows: [{a: 1}]}}\n'
const fill = (piece: string): string => piece.repeat(Math.floor(size / piece.length))
const filter = (sql: string): string => `${head}steps:\n  - filter: "${sql}"\n`

/** Texts on which a reader that is not linear takes minutes, or all memory. */
const hostile: Record<string, string> = {
  'open brackets': fill('['),
  'open braces': fill('{a: '),
  quotes: fill('"'),
  'escaped quotes': `"${fill('\\"')}`,
  dashes: fill('- '),
  'explicit keys': fill('? '),
  'aliases of nothing': fill('*a '),
  anchors: fill('- &a 1\n'),
  tags: fill('!!x '),
  directives: fill('%a\n'),
  documents: fill('---\n'),
  'document ends': fill('...\n'),
  comments: fill('# x\n'),
  'closing brackets': fill(']'),
  'block scalars': fill('a: |\n b\n'),
  'empty lines': fill(' \n'),
  'unknown keys': Array.from({ length: size / 12 }, (_, index) => `k${index}: 1`).join('\n'),
  'unknown binds': filter('a > :b '.repeat(14_000)),
  'binds of many names': filter(Array.from({ length: 9_000 }, (_, index) => `:b${index}`).join(' + ')),
  'open dollar quotes': filter(`$x$ ${'$a$ $b'.repeat(15_000)}`),
  'nested comments': filter('/*'.repeat(45_000)),
  'open parentheses': filter('('.repeat(90_000)),
  'expressions in one text': head.replace('a: 1', `a: "${'${{ run.id }} '.repeat(700)}"`),
  'expressions of coalescing': head.replace('a: 1', `a: "\${{ ${'('.repeat(25)}run.id${' ?? 1)'.repeat(25)} }}"`),
  'one long key': `${'k'.repeat(size)}: 1`,
}

const job = 'etl: 1\nkind: job\nname: x\ntasks:\n'
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

const hostileJobs: Record<string, string> = {
  'tasks that all wait for all': `${job}${lines(200, (index) => `  t${index}: {task: a, depends_on: [${lines(200, (other) => `t${other}`).replaceAll('\n', ', ')}]}`)}`,
  'expressions over tasks that are not there': `${job}${lines(2_000, (index) => `  t${index}: {task: a, when: "\${{ tasks.t${index + 1}.x and tasks.zz.y }}"}`)}`,
  'unknown keys of a template': `${job}${hostile['unknown keys'] ?? ''}`,
  'unknown keys in thousands of tasks': `${job}${lines(2_000, (index) => `  t${index}: {tsk: a, dpends_on: [], "${'k'.repeat(90)}": 1}`)}`,
  'more tasks than are read': `${job}${lines(4_000, (index) => `  t${index}: {task: a, depends_on: [t${index + 1}]}`)}`,
}

describe('hostile text', () => {
  it.each(Object.entries(hostile))(
    '%s: is refused or read, completed and hovered over, without hanging',
    (name, text) => {
      const { task, diagnostics } = parseTask(text)
      expect(task !== null).toBe(name === 'expressions in one text')
      expect(diagnostics.some((diagnostic) => diagnostic.severity === 'error')).toBe(task === null)
      const middle = Math.floor(text.length / 2)
      expect(Array.isArray(completeTask(text, middle))).toBe(true)
      expect(hoverTask(text, middle)?.markdown ?? '**').toMatch(/^\*\*/)
    },
  )

  it.each(Object.entries(hostileJobs))('%s: the same in a job template', (_name, text) => {
    expect(parseJob(text).job).toBeNull()
    const middle = Math.floor(text.length / 2)
    expect(Array.isArray(completeJob(text, middle))).toBe(true)
    expect(hoverJob(text, middle)?.markdown ?? '**').toMatch(/^\*\*/)
  })
})

it('finds an error behind more warnings than are told', () => {
  const hidden = '\u202a'.repeat(300)
  const text = `etl: 1
kind: pipeline
name: "x${hidden}"
source: {inline: {rows: [{a: 1}]}}
target: {connector: none, file: {path: out.csv}}
nonsense: 1
`
  const { task, diagnostics } = parseTask(text)
  expect(task).toBeNull()
  expect(diagnostics).toHaveLength(200)
  expect(diagnostics.map(({ code }) => code)).toContain('unknown_key')
})
