import { describe, expect, it } from 'vitest'
import type { JobDetail } from '../../../src/contract/jobs.ts'
import { jobForm } from '../../../src/renderer/features/jobs/job-draft.ts'
import { leavesTab } from '../../../src/renderer/features/jobs/leaves-tab.ts'
import { overridable } from '../../../src/renderer/features/jobs/use-job-shape.ts'
import { readFields } from '../../../src/renderer/features/tasks/argument-fields.ts'

const { follow, formOf, isDirty } = jobForm

const job = (fields: Partial<JobDetail> = {}): JobDetail => ({
  id: 1,
  job_template_id: 1,
  job_template_name: 'nightly',
  template_version: 1,
  newest_template_version: 1,
  name: 'Sales',
  description: null,
  connector_mapping: '{"dw":2,"lake":1}',
  parameters: '{"regions":["eu","us"]}',
  status: 'active',
  last_run_id: null,
  last_run_status: null,
  last_run_at: null,
  next_fire_at: null,
  created_by: 1,
  created_at: '2026-03-01T08:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  overridden_task_keys: [],
  ...fields,
})

describe('the form of a job while the job changes', () => {
  const first = job()
  const touched = { ...formOf(first), draft: { ...formOf(first).draft, description: 'mine' } }

  it('follows a change when nothing was typed', () => {
    const next = job({ name: 'Renamed' })
    expect(follow(formOf(first), next)).toEqual(formOf(next))
  })
  it('keeps what was typed when only a run, the order of keys or an empty field has changed', () => {
    const next = job({ last_run_id: 7, connector_mapping: '{"lake":1,"dw":2}' })
    const form = follow(touched, next)
    expect(form.draft.description).toBe('mine')
    expect(form.theirs).toBeNull()
    // The newer one is saved over, so its ETag counts.
    expect(form.base).toBe(next)
  })
  it('keeps what was typed, and its base, when somebody else has saved other values', () => {
    const next = job({ name: 'Renamed' })
    const form = follow(touched, next)
    expect(form).toEqual({ base: first, draft: touched.draft, theirs: next })
    expect(isDirty(form)).toBe(true)
  })
  it('is done when somebody else has saved the very same', () => {
    const form = follow(touched, job({ description: 'mine' }))
    expect(isDirty(form)).toBe(false)
    expect(form.theirs).toBeNull()
  })
})

it('shows the job’s own values as what an empty field takes, whatever their type', () => {
  const specs = overridable(
    {
      regions: { type: 'list', items: 'string', required: true },
      options: { type: 'json', required: true },
      limit: { type: 'integer', required: false, default: 5 },
      day: { type: 'date', required: false, default: '${{ run.logical_date }}' },
    },
    { regions: ['eu', 'us'], options: { deep: [1] } },
  )
  expect(readFields(specs, {})).toEqual({ values: {}, problems: {} })
  expect(specs['limit']?.default).toBe(5)
})

describe('leaving what is being typed', () => {
  const at = (pathname: string, search = '') => ({
    pathname,
    search,
    hash: '',
    state: null,
    key: 'k',
    unstable_mask: undefined,
  })
  it('asks before another tab, another task and another page', () => {
    expect(leavesTab(at('/jobs/1', '?tab=overrides&task=a'), at('/jobs/1', '?tab=overrides&task=b'))).toBe(true)
    expect(leavesTab(at('/jobs/1', '?tab=settings'), at('/jobs/1'))).toBe(true)
    expect(leavesTab(at('/jobs/1'), at('/jobs'))).toBe(true)
  })
  it('does not ask for what leaves the form where it is', () => {
    expect(leavesTab(at('/jobs/1', '?tab=settings'), at('/jobs/1', '?tab=settings&q=x'))).toBe(false)
  })
})
