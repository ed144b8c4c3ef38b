import { expect, test } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { entityOf, isAtomic, isAudited, shownAt } from '../../../src/server/platform/http-audit.rules.ts'

test.each([
  ['/api/tasks', 'task', null],
  ['/api/tasks/{id}/archive', 'task', 'id'],
  ['/api/job-templates/{id}', 'job_template', 'id'],
  ['/api/jobs/{id}/tasks/{key}/override', 'job', 'id'],
  ['/api/runs/trigger/{taskId}', 'task', 'taskId'],
  ['/api/api-keys/{id}', 'api_key', 'id'],
  ['/api/server/backups/{name}', 'backup', 'name'],
  ['/api/users/me/password', 'user', null],
  ['/api/branding', 'branding', null],
])('%s is about a record', (path, entity, parameter) => {
  expect(entityOf({ path, method: 'PUT' })).toEqual({ entity, parameter })
})

test('what is made within another record is what the operation is about', () => {
  expect(entityOf(operations.createJob)).toEqual({ entity: 'job', parameter: null })
  expect(shownAt(operations.createJob)).toBeUndefined()
  expect(entityOf(operations.rerunJobRun)).toEqual({ entity: 'job_run', parameter: 'id' })
})

test('what a GET shows of a record is found by the path of what changes it', () => {
  expect(shownAt({ ...operations.archiveTask })).toBe('/api/tasks/{id}')
  expect(shownAt({ ...operations.updateBranding })).toBe('/api/branding')
  expect(shownAt({ ...operations.createTask })).toBeUndefined()
})

test('every operation that may change something is recorded, but those of executors and those that only check', () => {
  const all: Operation[] = Object.values(operations)
  const unsafe = all.filter(({ method, security }) => method !== 'GET' && security !== 'executor')
  expect(
    unsafe
      .filter((op) => !isAudited(op))
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([
    // Each of its tools is recorded as the operation that it calls.
    'callMcp',
    // A view is its user's own setting of a list.
    'createSavedView',
    'deleteSavedView',
    'getPublicWidgetData',
    'getWidgetData',
    'listRecords',
    'previewAiReferences',
    'previewConnector',
    'previewDashboardOptions',
    'previewDashboardWidget',
    'previewExplainRun',
    'previewGenerateDashboardTemplate',
    'previewGenerateJobTemplate',
    'previewGenerateQuery',
    'previewGenerateTask',
    'previewTask',
    'previewTrigger',
    'queryMetrics',
    'resolveDashboardWidgetOptions',
    'testConnector',
    'updateSavedView',
    'validateDashboardTemplate',
    'validateJobTemplate',
    'validateTask',
  ])
  expect(
    all
      .filter((op) => op.method === 'GET' && isAudited(op))
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(['downloadBackup', 'exportAudit', 'exportBundle'])
})

test('no way to sign in is rolled back with its refusal: failed tries stay counted', () => {
  const all: Operation[] = Object.values(operations)
  const ofAuth = all.filter(({ path }) => path.startsWith('/api/auth/'))
  expect(ofAuth.filter((op) => isAtomic(op)).map(({ id }) => id)).toEqual([
    'logout',
    'endSession',
    'endOtherSessions',
    'lockDesktop',
  ])
  expect(isAtomic(operations.updateTask)).toBe(true)
})
