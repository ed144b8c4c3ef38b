import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backfillJob, runJob } from '../../../src/contract/job-run-control.ts'
import { seenLogicalDate } from '../../../src/server/features/job-runs/logical-date.rules.ts'
import { type JobPlane, jobPlane } from './job-plane.ts'

/** As the docs have it: a day made of the logical date. */
const daily = 'parameters: {day: {type: date, default: "${{ run.logical_date }}"}}'
const byDay =
  '  a: {task: work, connectors: {out: dir}, args: {value: "${{ parameters.day }} ${{ run.logical_date }}"}}\n'
const values = async (plane: JobPlane) => (await plane.drain()).map((plan) => plan.arguments['value'])

describe('the day of a job run', () => {
  test('of a backfill is the day asked for in its zone, also where the clocks change', async () => {
    const plane = await jobPlane()
    const job = await plane.job(byDay, daily)
    const body = { from: '2026-03-28', to: '2026-03-30', timezone: 'Europe/Berlin', max_parallel: 3 }
    await plane.editor.call(backfillJob, { params: { id: job }, body })
    expect(await values(plane)).toEqual([
      '2026-03-28 2026-03-28T00:00:00.000+01:00',
      '2026-03-29 2026-03-29T00:00:00.000+01:00',
      '2026-03-30 2026-03-30T00:00:00.000+02:00',
    ])
  })

  test('is that of the zone that is given, else of the job template, else of UTC; a rerun keeps it', async () => {
    const plane = await jobPlane()
    const logical_date = '2026-03-01T11:30:00Z'
    const zoned = await plane.job(byDay, `timezone: Pacific/Auckland\n${daily}`)
    const run = (id: number, more: object = {}) =>
      plane.editor.call(runJob, { params: { id }, body: { logical_date, ...more } })
    const { id, timezone } = await run(zoned)
    expect([timezone, await values(plane)]).toEqual(['Pacific/Auckland', ['2026-03-02 2026-03-02T00:30:00.000+13:00']])
    await plane.editor.post(`/api/job-runs/${id}/rerun`, {})
    expect(await values(plane)).toEqual(['2026-03-02 2026-03-02T00:30:00.000+13:00'])
    await run(zoned, { timezone: 'America/New_York' })
    expect(await values(plane)).toEqual(['2026-03-01 2026-03-01T06:30:00.000-05:00'])
    await run(await plane.job(byDay, daily))
    expect(await values(plane)).toEqual(['2026-03-01 2026-03-01T11:30:00.000Z'])
    const unknown = await plane.editor.post(`/api/jobs/${zoned}/run`, { timezone: 'Mars/Olympus' })
    expect(unknown).toMatchObject({ status: 400, body: { details: [{ path: 'body.timezone' }] } })
  })

  test('is the one that the clocks of its zone show, and the moment stays the same', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('1975-01-01'), max: new Date('2037-12-31'), noInvalidDate: true }),
        (timezone, moment) => {
          const seen = seenLogicalDate({ logical_date: moment.toISOString(), timezone })
          expect(seen.slice(0, 10)).toBe(new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(moment))
          expect(new Date(seen)).toEqual(moment)
        },
      ),
      { numRuns: 500 },
    )
  })
})

test('waiting for a job run is answered when it has ended, and when it is paused', async () => {
  const plane = await jobPlane()
  const gated = plane.start(
    await plane.job('  a: {gate: "Go on?"}\n  b: {task: work, connectors: {out: dir}, depends_on: [a]}\n'),
  )
  const get = (id: number) => plane.editor.get(`/api/job-runs/${id}?wait=60s`)
  expect(await get(gated)).toMatchObject({ status: 200, body: { status: 'paused' } })
  await plane.editor.post(`/api/job-runs/${gated}/gates/a`, { open: true })
  const waiting = get(gated)
  await plane.drain()
  expect(await waiting).toMatchObject({ status: 200, body: { status: 'completed' } })
})
