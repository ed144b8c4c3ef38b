import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChildHandle, forkNode } from '../../src/process/child.ts'
import { entryOf } from '../support/entries.ts'
import { type TestServer, startTestServer, testExecutorKey } from '../support/server.ts'

const run = promisify(execFile)
let server: TestServer
let executor: ChildHandle
let folder: string

beforeAll(async () => {
  server = await startTestServer()
  executor = forkNode(entryOf('executor'), {
    name: 'executor',
    args: ['--url', server.url, '--name', 'docs', '--slots', '2', '--grace', '1'],
    env: { SVC_EXECUTOR_KEY: testExecutorKey },
    output: 'ignore',
  })
  folder = mkdtempSync(join(tmpdir(), 'headgate-scripts-'))
  copyFileSync('docs/examples/orders.csv', join(folder, 'orders.csv'))
})
afterAll(async () => {
  executor.kill('SIGKILL')
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const keyOf = (role: 'admin' | 'viewer') => server.as(role).headers['authorization']?.replace('Bearer ', '') ?? ''

function rows() {
  const shop = new DatabaseSync(join(folder, 'shop.db'), { readOnly: true })
  const found = shop.prepare('SELECT month, orders FROM sales_by_month ORDER BY month').all()
  shop.close()
  return found.map((row) => ({ ...row }))
}

// The second one finds what the first one has made.
test.each([
  ['TypeScript', process.execPath, 'docs/examples/first-run.ts'],
  ['Python', 'python3', 'docs/examples/first_run.py'],
])('the script in %s makes, runs, follows and reads', { timeout: 120_000 }, async (_language, command, script) => {
  const env = { ...process.env, HEADGATE_KEY: keyOf('admin'), NO_PROXY: '*', no_proxy: '*' }
  const { stdout } = await run(command, [script, server.url, folder], { env })
  expect(stdout).toMatch(/Job run \d+ has started/)
  expect(stdout).toMatch(/T[\d:.]+Z info /)
  expect(stdout).toMatch(/by_month: success, outputs \{"months":\d\}/)
  expect(rows()).toEqual([
    { month: '2026-01', orders: 8 },
    { month: '2026-02', orders: 4 },
  ])
})

test.each([
  ['TypeScript', process.execPath, 'docs/examples/first-run.ts'],
  ['Python', 'python3', 'docs/examples/first_run.py'],
])(
  'the script in %s says what a key may not do, and ends with a code that says so',
  async (_language, command, script) => {
    const env = { ...process.env, HEADGATE_KEY: 'svc_nobody', NO_PROXY: '*', no_proxy: '*' }
    await expect(run(command, [script, server.url, folder], { env })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('AUTH_ERROR') as string,
    })
  },
)
