import { setTimeout } from 'node:timers/promises'
import { runJob } from '../../src/contract/job-run-control.ts'
import { getJobRunGraph } from '../../src/contract/job-runs.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { setPool } from '../../src/contract/pools.ts'
import type { Client } from '../demo/control-plane.ts'

const yaml_content = `etl: 1
kind: job
name: refresh
description: Loads the weather, then checks the routes
connectors: {samples: {type: file}, warehouse: {type: sqlite}, exports: {type: file}}
tasks:
  weather: {task: weather.monthly, pool: night_shift, connectors: {samples: samples, warehouse: warehouse}}
  publish: {task: flights.publish, depends_on: [weather], connectors: {warehouse: warehouse, exports: exports}}
`

/** A job run whose first task waits for a slot of a pool that has none. */
export async function waitForPool(api: Client, slots: Record<string, number>): Promise<void> {
  await api.call(setPool, {
    params: { name: 'night_shift' },
    body: { slots: 0, description: 'Closed until the evening' },
  })
  const template = await api.call(createJobTemplate, { body: { yaml_content } })
  const { samples = 0, warehouse = 0, exports = 0 } = slots
  const job = await api.call(createJob, {
    params: { id: template.id },
    body: { name: 'refresh', connector_mapping: { samples, warehouse, exports } },
  })
  const { id } = await api.call(runJob, { params: { id: job.id } })
  const latest = Date.now() + 60_000
  while ((await api.call(getJobRunGraph, { params: { id } })).nodes.every(({ reason }) => reason !== 'pool')) {
    if (Date.now() > latest) throw new Error(`Job run ${id} does not wait for its pool`)
    await setTimeout(100)
  }
}
