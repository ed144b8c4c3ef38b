import { expect, test } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADMIN, executors, get, post, untilSignedIn } from './app-page.ts'
import { launchApp, type Launched } from './launch.ts'

let launched: Launched
test.afterEach(() => launched.end())

const TASK = `
etl: 1
kind: pipeline
name: desktop.relay
connectors:
  out: {type: file, access: write}
source:
  inline:
    rows:
      - {id: 1, city: Oslo}
      - {id: 2, city: Rome}
steps:
  - derive: {twice: id * 2}
target:
  connector: out
  file: {path: cities.csv, format: csv}
`

test('a task runs in a worker that main has started, and writes its file', async () => {
  launched = await launchApp({ env: ADMIN })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  await expect.poll(() => executors(page)).toEqual([{ name: 'local', status: 'online' }])
  const connector = await post(page, '/api/connectors', {
    name: 'Folder',
    type: 'file',
    config: { root: launched.userData },
  })
  const task = await post(page, '/api/tasks', { yaml_content: TASK })
  const run = await post(page, `/api/runs/trigger/${task.id}`, { connector_mapping: { out: connector.id } })
  const status = async (): Promise<unknown> => {
    const { body } = await get(page, `/api/runs/${run.id}`)
    const { status, error } = body as { status: string; error?: unknown }
    return status === 'failed' ? error : status
  }
  await expect.poll(status).toBe('success')
  const written = readFileSync(join(launched.userData, 'cities.csv'), 'utf8')
  expect(written.trim().split(/\r?\n/)).toEqual(['id,city,twice', '1,Oslo,2', '2,Rome,4'])
})
