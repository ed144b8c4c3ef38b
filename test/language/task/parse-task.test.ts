import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findBinds } from '../../../src/language/sql-binds.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { fixtures } from '../fixtures/fixtures.ts'

const valid = fixtures()
  .filter((fixture) => fixture.valid)
  .map((fixture) => fixture.text)
const pieces = [
  '\n',
  '  ',
  '- ',
  ': ',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '${{',
  '}}',
  '{{',
  '&a ',
  '*a',
  '|',
  '>',
  '#',
  '\t',
  '\0',
  '\ud800',
  '!!x ',
  '%',
  '---\n',
  '? ',
  ',',
  ':x',
  '$1',
  ';',
  '/*',
  '\\',
  '<<: ',
  '__proto__: ',
  '\u{FEFF}',
  '\r\n',
]

describe('parseTask', () => {
  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { task, diagnostics } = parseTask(text)
        expect(task).toBeNull()
        expect(diagnostics.length).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })

  it('never throws on pieces of YAML in any order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces, 'a', 'etl: 1\n', 'steps:', 'source:'), { maxLength: 60 }),
        (parts) => {
          expect(parseTask(parts.join('')).diagnostics.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('never throws on mutations of valid documents, and a task comes with no error', () => {
    const mutation = fc.record({
      text: fc.constantFrom(...valid),
      cuts: fc.array(fc.record({ at: fc.nat(3000), length: fc.nat(12), piece: fc.constantFrom('', ...pieces) }), {
        minLength: 1,
        maxLength: 4,
      }),
    })
    fc.assert(
      fc.property(mutation, ({ text, cuts }) => {
        let mutated = text
        for (const { at, length, piece } of cuts) {
          const start = at % (mutated.length + 1)
          mutated = mutated.slice(0, start) + piece + mutated.slice(start + length)
        }
        const { task, diagnostics } = parseTask(mutated)
        expect(task === null).toBe(diagnostics.some((diagnostic) => diagnostic.severity === 'error'))
        for (const diagnostic of diagnostics) {
          const lines = mutated.split('\n').length
          expect(diagnostic.line).toBeLessThanOrEqual(lines)
          expect(diagnostic.end_line).toBeLessThanOrEqual(lines)
        }
      }),
      { numRuns: 1500 },
    )
  })

  it('points at the very characters, whatever the quoting', () => {
    const lines = [
      'filter: a > :nope',
      'filter: "a > :nope"',
      "filter: 'a > :nope'",
      'filter: |\n      a\n      > :nope',
      'filter: >-\n      a\n      > :nope',
    ]
    for (const line of lines) {
      const text = `etl: 1\nkind: pipeline\nname: x\nconnectors: {db: {type: sqlite, access: write}}\nsource: {inline: {rows: [{a: 1}]}}\nsteps:\n  - ${line}\ntarget: {connector: db, table: t}\n`
      const [diagnostic] = parseTask(text).diagnostics
      const source = text.split('\n')[(diagnostic?.line ?? 0) - 1]
      const marked = source?.slice((diagnostic?.column ?? 0) - 1, (diagnostic?.end_column ?? 0) - 1)
      expect([line, marked]).toEqual([line, ':nope'])
    }
  })

  it('still knows slots and arguments of a text with errors, for the forms beside it', () => {
    const {
      task,
      connector_refs,
      arguments: specs,
    } = parseTask('etl: 1\nconnectors: {lake: {type: file}, broken: {tpye: x}}\nargs: {day: {type: date}}\nsource: [\n')
    expect(task).toBeNull()
    expect(connector_refs).toEqual({ lake: { types: ['file'], access: 'read' } })
    expect(specs).toEqual({ day: { type: 'date', required: false } })
  })

  it('says one thing about one mistake: a slot with a wrong definition is not also unknown', () => {
    const { diagnostics } = parseTask(
      'etl: 1\nkind: pipeline\nname: x\nconnectors: {db: {type: sqlit, access: write}}\nsource: {inline: {rows: [{a: 1}]}}\ntarget: {connector: db, table: t}\n',
    )
    expect(diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.path])).toEqual([
      ['not_one_of', 'connectors.db.type'],
    ])
  })

  it('leaves Error as it found it', () => {
    const before = Error.stackTraceLimit
    parseTask('a: [')
    expect(Error.stackTraceLimit).toBe(before)
  })

  it('fills in a value for every bind, and for nothing else', () => {
    for (const text of valid) {
      const { task } = parseTask(text)
      for (const step of task?.kind === 'pipeline' ? task.steps : []) {
        if (step.kind !== 'filter' && step.kind !== 'sql') continue
        const names = findBinds(step.kind === 'filter' ? step.where : step.query).map((bind) => bind.name)
        expect(Object.keys(step.params).toSorted()).toEqual([...new Set(names)].toSorted())
      }
    }
  })
})
