import { expect, test } from 'vitest'
import { jobPlane, nameOf } from './job-plane.ts'

const work = (extra = '') => `{task: work, connectors: {out: dir}${extra ? `, ${extra}` : ''}}`

test('a chain runs in order, each task when the one before has ended, and the job run completes', async () => {
  const plane = await jobPlane()
  const id = plane.start(
    await plane.job(`  a: ${work()}\n  b: ${work('depends_on: [a]')}\n  c: ${work('depends_on: [b]')}\n`),
  )
  expect(plane.states(id)).toEqual({ a: 'queued', b: 'pending', c: 'pending' })
  const plans = await plane.drain()
  expect(plans.map((plan) => nameOf(plane, plan))).toEqual(['a', 'b', 'c'])
  expect(plane.states(id)).toEqual({ a: 'success', b: 'success', c: 'success' })
  expect(plane.jobRun(id)).toMatchObject({ status: 'completed', error_message: null })
})
