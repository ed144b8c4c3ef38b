import { expect, test } from 'vitest'
import { translateCause } from '../../../src/renderer/i18n/translate.ts'

test('the failure of a job run is that of its task', () => {
  expect(translateCause({ reason: 'task_failed_with', task: 'load', cause: 'No such table' })).toBe('No such table')
  const cause = { code: 'x', params: {}, message: 'No such file' }
  expect(translateCause({ reason: 'task_failed_stops_with', task: 'load', cause })).toBe('No such file')
})

test('a job run that failed otherwise has no cause in a task', () => {
  expect(translateCause({ reason: 'deadline' })).toBeNull()
  expect(translateCause(null)).toBeNull()
})
