// A control plane in which every name is as long as it may be, without a blank at which a line could break.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createApiKey } from '../../src/contract/api-keys.ts'
import { createConnector } from '../../src/contract/connectors.ts'
import { createEventTrigger } from '../../src/contract/event-triggers.ts'
import { runJob } from '../../src/contract/job-run-control.ts'
import { getJobRun } from '../../src/contract/job-runs.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { createNotification, testNotification } from '../../src/contract/notifications.ts'
import { setPool } from '../../src/contract/pools.ts'
import { getTask, createTask, updateTask } from '../../src/contract/tasks.ts'
import { createTrigger } from '../../src/contract/triggers.ts'
import { createUser } from '../../src/contract/users.ts'
import type { Client } from '../demo/control-plane.ts'
import { runTask } from '../demo/demo-tasks.ts'

/** `orders_of_all_customers_…_end`: so many letters, its end told from others of its kind. */
const long = (end: string, length = 200) =>
  `${'orders_of_all_customers_and_regions_'.repeat(20).slice(0, length - end.length)}${end}`

const column = long('inhabitants', 60)
/** As long as somebody who explains what is to be decided writes it. */
const question =
  'Publish the figures of the month? Compare the number of orders with that of the month before: more than 5 % fewer usually means that a shop has not sent its file. Ask the shop then, and reject this gate; the next run reads the file again. If the number is plausible, check the currency of the largest ten orders, note in the comment what you looked at, and approve. The reports of all regions are sent right after.'
const key = { load: long('load', 63), check: long('check', 63), gate: long('gate', 63), last: long('last', 63) }

const load = `etl: 1
kind: pipeline
name: ${long('loading')}
description: ${long('description', 400)}
connectors:
  ${long('files', 63)}: {type: file, access: read}
  ${long('shop', 63)}: {types: [sqlite], access: write}
source:
  connector: ${long('files', 63)}
  files: {glob: "*.csv"}
steps:
  - cast: {${column}: integer}
  - expect:
      - {name: ${long('rule', 100)}, check: "${column} > 0", on_fail: quarantine}
target: {connector: ${long('shop', 63)}, table: ${long('table', 63)}, mode: replace}
outputs: {${long('rows', 60)}: "\${{ run.item_count }}"}
`
const failing = `etl: 1
kind: script
name: ${long('failing')}
args:
  ${long('argument', 60)}: {type: string, default: ${long('value')}}
script: |
  console.log("${long('line', 600)}")
  throw new Error("${long('error', 400)}")
`
const template = `etl: 1
kind: job
name: ${long('nightly')}
description: ${long('description', 400)}
connectors:
  ${long('files', 63)}: {type: file}
  ${long('shop', 63)}: {type: sqlite}
tasks:
  ${key.load}:
    task: ${long('loading')}
    connectors: {${long('files', 63)}: ${long('files', 63)}, ${long('shop', 63)}: ${long('shop', 63)}}
  ${key.check}:
    task: ${long('failing')}
    depends_on: [${key.load}]
  ${key.gate}:
    gate: "${question}"
    depends_on: [${key.load}]
  ${key.last}:
    task: ${long('failing')}
    depends_on: [${key.check}, ${key.gate}]
`

export async function fillWithLongNames(api: Client, parent: string): Promise<void> {
  const root = join(parent, long('folder'))
  mkdirSync(root, { recursive: true })
  writeFileSync(
    join(root, `${long('cities')}.csv`),
    `city,${column}\n${long('Berlin')},3677472\n${long('Atlantis')},-1\n`,
  )
  const connectors = {
    [long('files', 63)]: await api.call(createConnector, {
      body: { name: long('files'), type: 'file', config: { root }, description: long('description', 400) },
    }),
    [long('shop', 63)]: await api.call(createConnector, {
      body: { name: long('shop'), type: 'sqlite', config: { path: join(root, 'shop.db') }, environment: 'production' },
    }),
  }
  const slots = Object.fromEntries(Object.entries(connectors).map(([name, { id }]) => [name, id]))
  const tags = [long('tag', 60), long('other', 60)]
  const loading = await api.call(createTask, { body: { yaml_content: load, tags } })
  const broken = await api.call(createTask, { body: { yaml_content: failing, tags } })
  const { yaml_content: before } = await api.call(getTask, { params: { id: broken.id } })
  await api.call(updateTask, {
    params: { id: broken.id },
    body: { yaml_content: before.replace('throw', '// changed\n  throw'), change_summary: long('summary', 400) },
  })
  await runTask(api, { id: loading.id, slots: Object.keys(slots) }, slots)
  await runTask(api, { id: broken.id, slots: [] }, {})
  const { id } = await api.call(createJobTemplate, { body: { yaml_content: template, tags } })
  const job = await api.call(createJob, { params: { id }, body: { name: long('job'), connector_mapping: slots } })
  await addAround(api, job.id)
  const run = await api.call(runJob, { params: { id: job.id } })
  const latest = Date.now() + 60_000
  // Its gate waits for somebody.
  while (Date.now() < latest) {
    const { status } = await api.call(getJobRun, { params: { id: run.id } })
    if (status !== 'pending' && status !== 'running') return
    await setTimeout(100)
  }
}

/** What people add to a job, and who they are. */
async function addAround(api: Client, job_id: number): Promise<void> {
  await api.call(createTrigger, {
    body: { job_id, type: 'cron', cron_expression: '*/20 8-18 * * *', timezone: 'Europe/Berlin' },
  })
  await api.call(createEventTrigger, { body: { job_id, type: 'webhook', name: long('webhook') } })
  const channel = await api.call(createNotification, {
    body: { name: long('channel'), type: 'webhook', config: { url: `https://hooks.example.org/${long('hook')}` } },
  })
  await api.call(testNotification, { params: { id: channel.id } })
  await api.call(setPool, { params: { name: long('pool', 63) }, body: { slots: 4, description: long('description') } })
  await api.call(createApiKey, { body: { name: long('key') } })
  await api.call(createUser, {
    body: {
      username: long('user'),
      display_name: long('name'),
      email: `${long('mail', 60)}@example.org`,
      role: 'editor',
      password: 'a long password of theirs',
    },
  })
}
