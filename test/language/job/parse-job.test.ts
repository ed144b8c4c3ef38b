import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJob } from '../../../src/language/job/parse-job.ts'
import { expectationOf, jobFixtures, observe } from '../fixtures/fixtures.ts'
import { jobCatalogue } from '../fixtures/job-catalogue.ts'

const all = jobFixtures()
const head = 'etl: 1\nkind: job\nname: demo\n'
const codes = (text: string): string[] => parseJob(text, jobCatalogue).diagnostics.map(({ code }) => code)

describe('fixtures of job templates', () => {
  it.each(all.map((fixture) => [fixture.valid, fixture.name, fixture] as const))(
    'valid: %s, %s is read as expected, and is a template exactly when nothing in it is an error',
    (valid, _name, fixture) => {
      const expected = expectationOf(fixture)
      expect(expected).not.toBeNull()
      expect(JSON.parse(JSON.stringify(observe(fixture)))).toEqual(expected)
      const { job, diagnostics } = parseJob(fixture.text, jobCatalogue)
      expect(job !== null).toBe(valid)
      expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(!valid)
    },
  )

  it('says the same without a catalogue, but for what only a catalogue can know', () => {
    const world =
      /^(unknown_task|archived_task|unknown_task_version|slot_\w+|unknown_slot|unknown_argument|argument_\w+|unknown_pool|unknown_channel)$/
    for (const { text } of all) {
      const known = parseJob(text, jobCatalogue).diagnostics.filter(({ code }) => !world.test(code))
      expect(parseJob(text).diagnostics).toEqual(known)
    }
  })
})

describe('parseJob', () => {
  it('takes the time zones that there are, and names the one that was meant', () => {
    const tasks = 'tasks: {a: {task: noop}}\n'
    expect(parseJob(`${head}timezone: Asia/Kolkata\n${tasks}`, jobCatalogue).job?.timezone).toBe('Asia/Kolkata')
    expect(parseJob(`${head}${tasks}`, jobCatalogue).job?.timezone).toBe('UTC')
    const [finding] = parseJob(`${head}timezone: Europe/Berln\n${tasks}`, jobCatalogue).diagnostics
    expect(finding).toMatchObject({ code: 'invalid_value', line: 4, column: 11, hint: 'Did you mean `Europe/Berlin`?' })
    expect(codes(`${head}timezone: +02:00\n${tasks}`)).toContain('invalid_value')
  })

  it('is whole at a chain of 2,000 tasks, and finds the cycle when its ends are tied', () => {
    const node = (index: number, before: string): string =>
      `  t${index}: {task: noop, depends_on: [${before}], when: "\${{ tasks.t0.status != '' }}"}\n`
    const chain = (first: string): string =>
      `${head}tasks:\n  t0: {task: noop, depends_on: [${first}]}\n${Array.from({ length: 1999 }, (_, index) => node(index + 1, `t${index}`)).join('')}`
    const { job, nodes } = parseJob(chain(''))
    expect(Object.keys(job?.tasks ?? {})).toHaveLength(2000)
    expect(nodes[1999]).toMatchObject({ key: 't1999', depends_on: ['t1998'], line: 2004 })
    const [cycle] = parseJob(chain('t1999')).diagnostics
    expect(cycle).toMatchObject({ code: 'dependency_cycle', line: 5 })
    expect(cycle?.message).toContain('`t0` → `t1999` → `t1998`')
  })

  it('refuses more than 2,000 tasks without looking at them', () => {
    const tasks = Array.from({ length: 2001 }, (_, index) => `  t${index}: {task: noop, depends_on: [x]}\n`).join('')
    expect(codes(`${head}tasks:\n${tasks}`)).toEqual(['wrong_length'])
  })

  it('looks for the nearest name a few times only, so that a text of nothing but mistakes is not slow', () => {
    const tasks = Array.from(
      { length: 2000 },
      (_, index) => `  task_with_a_long_name_${index}: {task: noop, depends_on: [tsk_wth_a_lng_nme_${index}]}\n`,
    )
    const { diagnostics } = parseJob(`${head}tasks:\n${tasks.join('')}`)
    expect(diagnostics).toHaveLength(200)
    expect(diagnostics.at(-1)?.hint).toBe('There are 2000 keys here.')
  })

  it('still knows the graph, the connectors and the parameters of a text with errors', () => {
    const { job, nodes, connector_refs, parameters } = parseJob(
      `${head}connectors: {dw: {type: postgres}}\nparameters: {day: {type: date}, odd: {type: dat}}\ntasks:\n  a: {task: noop, depnds: 1}\n  b: {gate: Go?, depends_on: [a, zzz, b], run_if: all_done}\n  c: [\n`,
    )
    expect(job).toBeNull()
    expect(nodes.map(({ key, kind, depends_on, run_if }) => [key, kind, depends_on, run_if])).toEqual([
      ['a', 'task', [], 'all_success'],
      ['b', 'gate', ['a'], 'all_done'],
      ['c', 'task', [], 'all_success'],
    ])
    expect(connector_refs).toEqual({ dw: { types: ['postgres'], access: 'read' } })
    expect(parameters).toEqual({ day: { type: 'date', required: false } })
  })

  it('gives a connector the access that the tasks bound to it need, unless one is written', () => {
    const text = (access: string): string =>
      `${head}connectors: {dw: {type: postgres${access}}, lake: {type: s3}}\ntasks: {a: {task: sales.daily, connectors: {pg: dw, lake: lake}, args: {day: 2024-01-01}}}\n`
    const accesses = (written: string): string[] =>
      Object.values(parseJob(text(written), jobCatalogue).connector_refs).map(({ access }) => access)
    expect(accesses('')).toEqual(['read', 'write'])
    expect(accesses(', access: read_write')).toEqual(['read_write', 'write'])
  })

  it('takes names that objects have of their own for names like any others', () => {
    const text = `${head}parameters: {constructor: {type: string}}\nconnectors: {toString: {type: postgres}}\ntasks:\n  valueOf: {task: ops.cleanup, connectors: {db: toString}}\n  hasOwnProperty: {gate: "\${{ parameters.constructor }}", depends_on: [valueOf], when: "\${{ tasks.valueOf.status = 'success' }}"}\n`
    expect(codes(text)).toEqual([])
    expect(codes(text.replace('parameters.constructor', 'parameters.toString'))).toContain('unknown_reference')
    expect(codes(text.replace('task: ops.cleanup', 'task: constructor'))).toContain('unknown_task')
    expect(codes(text.replace('{db:', '{toLocaleString: toString, db:'))).toContain('unknown_slot')
  })
})

const valid = all.filter((fixture) => fixture.valid).map((fixture) => fixture.text)
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
  '#',
  '\t',
  '\0',
]
const words = ['tasks', 'a', 'depends_on', 'gate', 'for_each', 'in', 'each.', 'tasks.a.', 'when', 'null', '1', 'on']

describe('parseJob, whatever the text', () => {
  it('never throws on random texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(parseJob(text, jobCatalogue).job).toBeNull()
      }),
      { numRuns: 300 },
    )
  })

  it('never throws on mutations of templates, whose places stay inside the text', () => {
    const mutation = fc.record({
      text: fc.constantFrom(...valid),
      cuts: fc.array(
        fc.record({ at: fc.nat(2000), length: fc.nat(12), piece: fc.constantFrom('', ...pieces, ...words) }),
        { minLength: 1, maxLength: 4 },
      ),
    })
    fc.assert(
      fc.property(mutation, ({ text, cuts }) => {
        let mutated = text
        for (const { at, length, piece } of cuts) {
          const start = at % (mutated.length + 1)
          mutated = mutated.slice(0, start) + piece + mutated.slice(start + length)
        }
        const { job, diagnostics, nodes } = parseJob(mutated, jobCatalogue)
        expect(job === null).toBe(diagnostics.some(({ severity }) => severity === 'error'))
        const lines = mutated.split('\n').length
        for (const { line, end_line } of [...diagnostics, ...nodes]) {
          expect(line).toBeLessThanOrEqual(end_line)
          expect(end_line).toBeLessThanOrEqual(lines)
        }
      }),
      { numRuns: 600 },
    )
  })
})
