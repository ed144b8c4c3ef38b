import { expect, test } from 'vitest'
import { runMessage } from '../../../src/contract/run-messages.ts'
import { type Message, reasonParams } from '../../../src/language/message.ts'
import { comparedSaid, failedPart, failureFacts } from '../../../src/renderer/features/runs/failure-facts.rules.ts'
import { lineOfStep } from '../../../src/renderer/features/tasks/step-line.ts'

const failed = (reason: Message, fix?: Message) => ({
  error_message: fix ? `${reason.message}. ${fix.message}` : reason.message,
  error_params: reasonParams(reason, fix),
})

test('an expectation gives what was expected, how many rows broke it, and the first of them', () => {
  const cause = runMessage('expectation_broken', { name: 'paid', count: 1200, rows: 3000, rule: 'price > 0' })
  const reason = runMessage('expectation_failed_first', { cause, row: '{"price":-1,"id":"a"}' })
  const facts = failureFacts(failed(reason, runMessage('expectation_failed_fix')))
  expect(facts).toMatchObject({
    cause: cause.message,
    fix: runMessage('expectation_failed_fix').message,
    compared: { reason: 'expectationBroken' },
    row: { price: -1, id: 'a' },
  })
  expect(comparedSaid('<count> of <rows> rows', facts.compared?.params ?? {})).toBe('1,200 of 3,000 rows')
})

test('a row that was cut off is left out, and the rest stays', () => {
  const cause = runMessage('expectation_broken', { name: 'paid', count: 1, rows: 3, rule: 'price > 0' })
  const reason = runMessage('expectation_failed_first', { cause, row: '{"price":-1,"text":"aaa' })
  expect(failureFacts(failed(reason))).toMatchObject({ row: null, compared: { reason: 'expectationBroken' } })
})

test('any other error is its text, with the hint apart and said once', () => {
  const facts = failureFacts(failed(runMessage('database_encrypted'), runMessage('database_encrypted_fix')))
  expect(facts.cause).toMatch(/^The database is encrypted\.?$/)
  expect(facts.fix).toBe(runMessage('database_encrypted_fix').message)
  expect(facts.compared).toBeNull()
})

test('an error of an older version, without parameters, is shown as it is', () => {
  expect(failureFacts({ error_message: 'It broke.', error_params: null })).toEqual({
    cause: 'It broke.',
    fix: null,
    compared: null,
    row: null,
  })
})

test('the line of a step is that of its key; the target has its own; a step that was removed has none', () => {
  const yaml =
    'etl: 1\nsource:\n  files: a.csv\nsteps:\n  - filter: a > 1\n  - sql: |\n      SELECT 1\ntarget:\n  table: t\n'
  expect(lineOfStep(yaml, { index: 0, key: 'source' })).toBe(2)
  expect(lineOfStep(yaml, { index: 2, key: 'sql' })).toBe(6)
  expect(lineOfStep(yaml, { index: 3, key: 'target' })).toBe(8)
  expect(lineOfStep(yaml, { index: 7, key: 'cast' })).toBeNull()
})

test('of an expectation that failed, the line is its own', () => {
  const yaml =
    'etl: 1\nsource: {}\nsteps:\n  - expect:\n      - {name: full, check: a}\n      - {name: on time, check: b}\n'
  const cause = { code: 'expectation_broken', params: { name: 'on time', count: 1, rows: 2, rule: 'b' }, message: '' }
  const part = failedPart({ error_message: '', error_params: { reason: 'expectation_failed_first', cause, row: '{}' } })
  expect(lineOfStep(yaml, { index: 1, key: 'expect' }, part)).toBe(6)
  expect(lineOfStep(yaml, { index: 1, key: 'expect' }, 'renamed since')).toBe(4)
})
