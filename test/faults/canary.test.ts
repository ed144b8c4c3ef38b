// Secrets are planted through every door, used, made to fail, and looked for everywhere: in no encoding may one come out
// where it is not shown on purpose.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startFakeAi } from '../support/fake-ai.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { createAviary } from './support/canary.ts'
import { answered, callerOf } from './support/canary-caller.ts'
import { signInEverywhere } from './support/canary-sign-in.ts'
import {
  apiKey,
  mistakes,
  readEverything,
  settings,
  useAi,
  useChannels,
  useConnectors,
  useHook,
} from './support/canary-uses.ts'
import { startEcho } from './support/echo-http.ts'

/** On a loaded machine everything takes long. */
const patience = { timeout: 120_000, interval: 200 }

test('no secret comes out: not in the store, a file, a log, a bundle, a backup, an answer, an argument or a crash', async () => {
  const aviary = createAviary()
  const { plant } = aviary
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-canary-'))
  const filesDir = mkdtempSync(join(tmpdir(), 'headgate-canary-files-'))
  const fake = await startFakeAi()
  const echo = await startEcho(plant('access token').replaceAll(/[^!-~]/g, ''))
  const env = {
    SVC_EXECUTOR_KEY: plant('executor key').replaceAll(/\W/g, ''),
    SVC_LOG_LEVEL: 'debug',
    SVC_AUTH_TOTP_REQUIRED: 'true',
  }
  const started: ServerProcess[] = []
  onTestFinished(async () => {
    for (const one of started) one.kill('SIGKILL')
    await echo.stop()
    await fake.close()
    for (const folder of [dataDir, filesDir]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  async function start() {
    const server = spawnServer(dataDir, { args: ['--port', '0'], env, ipc: true })
    started.push(server)
    return { server, url: (await server.ready).url }
  }
  const seeProcesses = ({ pid }: ServerProcess) => aviary.sawProcesses(pid, 'executor key')

  const first = await start()
  const nobody = callerOf(aviary, first.url, {})
  const cookie = await signInEverywhere(aviary, nobody, first)
  const root = callerOf(aviary, first.url, { cookie })
  const key = await apiKey(aviary, root)
  const byKey = callerOf(aviary, first.url, { authorization: `Bearer ${key}` })
  await settings(aviary, root)
  await vi.waitUntil(async () => {
    const { body } = await root<{ status: string }[]>('GET', '/api/server/executors')
    return body.some(({ status }) => status === 'online')
  }, patience)
  await mistakes(aviary, root, nobody)
  await useChannels(aviary, root, echo.url)
  await useConnectors(aviary, byKey, echo.url, filesDir, () => seeProcesses(first.server))
  await useAi(aviary, root, fake)
  await useHook(aviary, byKey, nobody)
  answered(await root('POST', '/api/server/rotate-key'), 200)
  answered(await root('POST', '/api/server/backup'), 201)
  await readEverything(root)
  seeProcesses(first.server)
  first.server.kill('SIGKILL')
  await first.server.exited
  for (const folder of [dataDir, filesDir]) aviary.sawFolder(folder)

  const second = await start()
  await readEverything(callerOf(aviary, second.url, { authorization: `Bearer ${key}` }))
  seeProcesses(second.server)
  second.server.kill('SIGTERM')
  await second.server.exited
  for (const folder of [dataDir, filesDir]) aviary.sawFolder(folder)
  for (const { stdout, stderr } of started) {
    aviary.saw('stdout', stdout.join('\n'))
    aviary.saw('stderr', stderr.join('\n'))
  }
  expect(aviary.names().length).toBeGreaterThan(40)
  expect(aviary.escaped()).toEqual([])
}, 900_000)
