import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decideGate, runJob } from '../../../src/contract/job-run-control.ts'
import { createJobTemplate } from '../../../src/contract/job-templates.ts'
import { createJob } from '../../../src/contract/jobs.ts'
import { type TestClient, createClient, startTestServer } from '../../support/server.ts'
import { spawnServer } from '../../support/server-process.ts'
import { channels } from './notification-world.ts'
import { startHookReceiver } from './receivers.ts'

const yaml_content = `etl: 1
kind: job
name: approval
tasks:
  sign_off: {gate: "Publish?"}
notify: [{on: [finished], channel: ops}]
`

/** A job whose run waits for a person. */
async function waitingRun(client: TestClient): Promise<number> {
  const template = await client.call(createJobTemplate, { body: { yaml_content } })
  const job = await client.call(createJob, { params: { id: template.id }, body: { name: 'approval' } })
  return (await client.call(runJob, { params: { id: job.id } })).id
}

test('a server that is killed while it tells of an end tells it again when it is back, under the same number', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-notify-kill-'))
  const hook = await startHookReceiver()
  hook.reply('silence')
  // An API key outlives the server that gave it.
  const first = await startTestServer({ dataDir })
  const { headers } = first.as('admin')
  await first.close()
  const start = async () => {
    const server = spawnServer(dataDir, { args: ['--port', '0', '--no-executor'] })
    return { server, client: createClient((await server.ready).url, { ...headers }) }
  }
  let running = await start()
  try {
    const ops = await channels(running.client).create({ name: 'ops', config: { url: hook.url }, on: ['failed'] })
    const jobRun = await waitingRun(running.client)
    await running.client.call(decideGate, { params: { id: jobRun, key: 'sign_off' }, body: { open: false } })
    await expect.poll(() => hook.received.length, { timeout: 60_000 }).toBe(1)
    running.server.kill('SIGKILL')
    await running.server.exited

    hook.reply({ status: 204 })
    running = await start()
    await expect.poll(() => hook.received.length, { timeout: 60_000 }).toBe(3)
    const told = hook.received.map(
      ({ headers: h }) => `${String(h['x-headgate-event'])} ${String(h['x-headgate-delivery'])}`,
    )
    expect(told[1]).toBe(told[0])
    expect(hook.received[1]!.body).toBe(hook.received[0]!.body)
    // What its `on` says, and what the template asks for.
    expect(hook.bodies().slice(1)).toMatchObject([
      { event: 'failed', job: { name: 'approval' }, job_run: { id: jobRun, status: 'failed' } },
      { event: 'finished', job_run: { id: jobRun } },
    ])
    await expect
      .poll(async () => (await channels(running.client).deliveries(ops)).map(({ status }) => status))
      .toEqual(['delivered', 'delivered'])
  } finally {
    running.server.kill('SIGKILL')
    await running.server.exited
    await hook.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
