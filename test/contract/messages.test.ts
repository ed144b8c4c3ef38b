/** Messages are codes with parameters: whoever adds one, words one anew or stops using one finds it here. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorCodes } from '../../src/contract/errors.ts'
import { msg, texts } from '../../src/contract/messages.ts'
import { runMessage, texts as runTexts } from '../../src/contract/run-messages.ts'
import { texts as findings } from '../../src/language/messages.ts'
import { diagnosticCodes } from '../../src/language/diagnostic-codes.ts'

const codes = Object.keys(texts)

test('a message is its code, its parameters and the English sentence that they make', () => {
  expect(msg('task_archived', { name: 'a "b"' })).toEqual({
    code: 'task_archived',
    params: { name: 'a "b"' },
    message: 'Task a "b" is archived. Restore it to run it.',
  })
  expect(msg('job_run_no_gate', { id: 7, key: 'a "b"' }).message).toBe('Job run #7 has no gate "a \\"b\\""')
  expect(msg('field_not_one_of', { allowed: ['a', 'b'] }).message).toBe('must be one of a, b')
  const reason = msg('cron_field', { number: 1, field: 'minute', problem: msg('cron_empty_place') })
  expect(reason.message).toBe('field 1 (minute): has an empty item in its list')
})

test('the compiler refuses a code without text, a parameter that is missing and one that the text does not use', () => {
  // @ts-expect-error -- no such code
  expect(() => msg('no_such_code')).toThrow(TypeError)
  // @ts-expect-error -- `name` is missing
  msg('task_archived', {})
  // @ts-expect-error -- nothing is given
  msg('task_archived')
  // @ts-expect-error -- the text has no `id`
  msg('task_archived', { name: 'a', id: 1 })
  // @ts-expect-error -- the text has no parameters
  msg('field_missing', { id: 1 })
})

test.each([
  ['the interface', codes, ['server', 'contract', 'language/query']],
  ['errors of runs', Object.keys(runTexts), ['executor', 'server', 'cli']],
])('every text of %s is used', (_, known, folders) => {
  const root = join(import.meta.dirname, '../../src')
  const sources = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((name) => name.endsWith('.ts') && !name.includes('messages'))
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('\n')
  const used = new Set([...sources.matchAll(/'([a-z0-9_]+)'/g)].map(([, code]) => code))
  expect(known.filter((code) => !used.has(code))).toEqual([])
})

test('a code is in lower case and means one thing, among diagnostics and keywords of JSON Schema as well', () => {
  const keywords =
    'required additionalProperties type enum const minLength maxLength minimum maximum minItems maxItems uniqueItems format pattern anyOf oneOf not'
  const others = new Set([
    ...Object.keys(diagnosticCodes),
    ...Object.keys(findings),
    ...keywords.split(' '),
    ...Object.keys(errorCodes),
  ])
  const inRuns = Object.keys(runTexts)
  const isWrong = (code: string) => others.has(code) || !/^[a-z][a-z0-9_]*$/.test(code)
  expect([...codes, ...inRuns].filter(isWrong)).toEqual([])
  expect(inRuns.filter((code) => codes.includes(code))).toEqual([])
  // Clients tell them from the parameters of the text.
  expect(Object.entries(runTexts).filter(([, text]) => /<(reason)\b/i.test(text))).toEqual([])
  const folder = join(import.meta.dirname, '../../src/contract/messages')
  const files = [
    ...readdirSync(folder).map((name) => join(folder, name)),
    join(folder, '../../language/query/query-messages.ts'),
  ]
  const written = files.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/^  (\w+):$|^  (\w+): ['"]/gm)])
  expect(written).toHaveLength(codes.length)
})

test('counts are numbers whose digits are grouped as the language does', () => {
  expect(runMessage('too_many_pages', { most: 10_000, what: 'GET /a' })).toEqual({
    code: 'too_many_pages',
    params: { most: 10_000, what: 'GET /a' },
    message: 'There are more than the 10,000 pages that `max_pages` allows (GET /a)',
  })
})
