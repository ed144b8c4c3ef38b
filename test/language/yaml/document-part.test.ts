import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { hasPart, partAt, withPartOf } from '../../../src/language/yaml/document-part.ts'

const base = `# Nightly, ask Ann
etl: 1
kind: pipeline
name: crm.contacts   # as in the old system
connectors:
  crm: {type: sqlite, access: read}

  app: {type: postgres, access: write}
source:
  connector: crm
  sql:
    query: |
      SELECT *
        FROM contacts
steps:
  # only the living
  - filter: "died IS NULL"   # see #12
  - derive:
      email: lower(email)

  # last
  - dedupe: {key: [id]}
target: {connector: app, table: contacts, mode: upsert, key: [id]}
`
const at = (line: string) => base.split('\n').findIndex((one) => one.includes(line)) + 1

describe('the part of a line', () => {
  it.each([
    ['etl: 1', null],
    ['name:', 'name'],
    ['crm: {', 'connectors.crm'],
    ['FROM contacts', 'source'],
    ['steps:', 'steps'],
    ['died IS', 'steps[0]'],
    ['lower(email)', 'steps[1]'],
    ['dedupe', 'steps[2]'],
    ['target:', 'target'],
  ])('%s', (line, path) => expect(partAt(base, at(line))).toBe(path))

  it('is none before the first entry, in a list, and in a text that is no document', () => {
    expect(partAt(base, 1)).toBeNull()
    expect(partAt('- a\n- b\n', 1)).toBeNull()
    expect(partAt('', 1)).toBeNull()
    expect(partAt('a: [1, 2]\n', 1)).toBe('a')
  })
})

describe('only a part is taken over', () => {
  /** As a model writes: no comments, another style, another indentation. */
  const rewritten = (steps: string, more = '') => `etl: 1
kind: pipeline
name: crm.contacts
${more}connectors: {crm: {type: sqlite, access: read}, app: {type: postgres, access: write}}
source: {connector: crm, sql: {query: "SELECT *\\n  FROM contacts\\n"}}
steps:
${steps}target:
  connector: app
  table: contacts
  mode: upsert
  key: [id]
`
  const first = '    - filter: "died IS NULL"\n'
  const middle = '    - derive:\n        email: lower(email)\n'
  const last = '    - dedupe:\n        key: [id]\n'

  it('in the middle, whatever the rest looks like', () => {
    const answer = rewritten(`${first}    - derive:\n        email: trim(email)\n        n: 1\n${last}`)
    expect(withPartOf(base, 'steps[1]', answer)).toBe(
      base.replace('email: lower(email)', 'email: trim(email)\n      n: 1'),
    )
  })
  it('as several items', () => {
    const answer = rewritten(`${first}${middle}    - filter: "id > 1"\n${last}`)
    expect(withPartOf(base, 'steps[1]', answer)).toBe(
      base.replace('lower(email)\n', 'lower(email)\n  - filter: "id > 1"\n'),
    )
    expect(withPartOf(base, 'steps[0]', answer)).toBeNull()
  })
  it('as a block that replaces a line', () => {
    const answer = rewritten(`${first}${middle}${last}`).replace('  mode: upsert\n', '  mode: append\n')
    expect(withPartOf(base, 'target', answer)).toBe(
      base.replace(/target: .*/, 'target:\n  connector: app\n  table: contacts\n  mode: append\n  key: [id]'),
    )
  })
  it('that was missing', () => {
    const answer = rewritten(`${first}${middle}${last}`, 'description: Loads contacts\n')
    expect(withPartOf(base, 'description', answer)).toBe(
      base.replace('connectors:', 'description: Loads contacts\nconnectors:'),
    )
    const atEnd = withPartOf('etl: 1\nname: a', 'description', 'etl: 1\nname: a\ndescription: b\n')
    expect(parse(atEnd ?? '')).toEqual({ etl: 1, name: 'a', description: 'b' })
  })
  it('of a record', () => {
    const answer = rewritten(`${first}${middle}${last}`).replace('type: sqlite', 'type: mysql')
    expect(withPartOf(base, 'connectors.crm', answer)).toBe(base.replace('type: sqlite', 'type: mysql'))
  })
  it('not where something else changed, was added, removed, or where the part is gone', () => {
    const same = rewritten(`${first}${middle}${last}`)
    for (const other of [
      same.replace('sqlite', 'mysql'),
      same.replace('FROM', 'from'),
      rewritten(`${first}${middle}`),
      `${same}retries: {max: 2}\n`,
    ])
      expect(withPartOf(base, 'steps[1]', other)).toBeNull()
    expect(withPartOf(base, 'description', same)).toBeNull()
  })
  it('of numbers that are not exact as they were written', () => {
    const text = 'a: 9007199254740993\nb: 1\n'
    expect(withPartOf(text, 'b', 'a: 9007199254740992\nb: 2\n')).toBeNull()
    expect(withPartOf(text, 'b', 'a: 9007199254740993\nb: 2\n')).toBe('a: 9007199254740993\nb: 2\n')
  })
  it('and what is no document stays for its own checks', () => {
    expect(withPartOf(base, 'steps[1]', 'a: [')).toBe('a: [')
  })
})

it('parts are there, or can be given to the document itself', () => {
  for (const path of ['steps[2]', 'connectors.crm', 'description', 'source']) expect(hasPart(base, path)).toBe(true)
  for (const path of [
    'steps[3]',
    'connectors.x',
    'steps[1].derive',
    '',
    '[0]',
    'a b',
    '__proto__.x',
    'connectors.toString',
  ])
    expect(hasPart(base, path)).toBe(false)
})

it('says the same as the answer and keeps every line outside of the part, for any steps', () => {
  const step = fc.oneof(
    fc.record({ filter: fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme-ascii' }) }),
    fc.record({
      derive: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.string({ maxLength: 8 }), { minKeys: 1 }),
    }),
  )
  const written = (steps: object[], indent: number) =>
    `etl: 1\nsteps:\n${steps.map((one) => `${' '.repeat(indent)}- ${JSON.stringify(one)} # c\n`).join('')}name: x\n`
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 6 }),
      fc.array(step, { minLength: 1, maxLength: 3 }),
      fc.nat(),
      fc.integer({ min: 0, max: 4 }),
      (steps, next, seed, indent) => {
        const index = seed % steps.length
        const changed = steps.toSpliced(index, 1, ...next)
        const text = written(steps, 2)
        const fitted = withPartOf(text, `steps[${index}]`, written(changed, indent)) ?? ''
        expect(parse(fitted)).toEqual(parse(written(changed, indent)))
        const lines = text.split('\n')
        expect(fitted.split('\n').slice(0, index + 2)).toEqual(lines.slice(0, index + 2))
        expect(fitted.split('\n').slice(-(steps.length - index + 1))).toEqual(lines.slice(-(steps.length - index + 1)))
      },
    ),
    { numRuns: Number(process.env['HEADGATE_PROPERTY_RUNS'] ?? 100) },
  )
})
