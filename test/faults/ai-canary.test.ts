// Secrets and rows are put into everything that a request to a model can be made of, in every way of writing: none may arrive at the
// provider, whose bytes are read from the wire, nor stand in a log, an audit record, an event, or, where nobody saved it, in the store.
import Database from 'better-sqlite3'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fencedYaml } from '../support/ai-events.ts'
import { type Reply, startFakeAi } from '../support/fake-ai.ts'
import { spawnServer } from '../support/server-process.ts'
import { createAviary } from './support/canary.ts'
import { answered, callerOf, cookieOf } from './support/canary-caller.ts'
import { startTap } from './support/tap.ts'

const patience = { timeout: 120_000, interval: 100 }

/** A secret as a person may have pasted it: plain, and in every encoding that the canaries know. */
function writings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    `DB_PASSWORD=${secret}`,
    `https://etl:${encodeURIComponent(secret)}@host/`,
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    [...secret].toReversed().join(''),
    [...secret].join('\0'),
    ...['', 'u', 'us'].flatMap((before) =>
      (['base64', 'base64url'] as const).map((encoding) => Buffer.from(`${before}${secret}!`).toString(encoding)),
    ),
  ]
}
const commented = (texts: readonly string[]) => texts.map((text) => `# ${text.replaceAll('\0', '·')}\n`).join('')

test('no secret and no row comes out by a request to a model, whatever it asks for', async () => {
  const aviary = createAviary()
  const { plant } = aviary
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-ai-canary-'))
  const files = mkdtempSync(join(tmpdir(), 'headgate-ai-canary-files-'))
  mkdirSync(join(files, 'in'))
  const fake = await startFakeAi()
  const tap = await startTap(Number(new URL(fake.url).port))
  const server = spawnServer(dataDir, {
    args: ['--port', '0'],
    env: { SVC_EXECUTOR_KEY: plant('executor key').replaceAll(/\W/g, ''), SVC_LOG_LEVEL: 'debug' },
  })
  const hearing = new AbortController()
  onTestFinished(async () => {
    hearing.abort()
    server.kill('SIGKILL')
    await tap.close()
    await fake.close()
    for (const folder of [dataDir, files]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const { url } = await server.ready
  const account = { username: 'ada', password: plant('password') }
  const made = await callerOf(aviary, url, {})('POST', '/api/auth/bootstrap', { body: account })
  answered(made, 201)
  const cookie = cookieOf(made)
  const ask = callerOf(aviary, url, { cookie })

  /** What is a secret of the store, and written into nothing that is saved. */
  const stored = plant('stored')
  /** The same, pasted into texts that are saved: who may read these sees it there. */
  const pasted = plant('pasted')
  /** So long that a message quotes only its beginning. */
  const long = `${plant('long').replaceAll(/\W/g, '')}${'x1y2z3'.repeat(20)}`
  const key = plant('AI key').replaceAll(/[^!-~]/g, '')
  const saved = ['pasted', 'argument default', 'row of a run', 'host']
  /** Answers of the person’s own texts, in which what was held back is put back. */
  const own = ['stored', 'pasted', 'long', 'typed']
  const rows = {
    never: plant('row'),
    ofRun: plant('row of a run'),
    shown: plant('shown row'),
    unshown: plant('unshown row'),
  }

  // What a row is, whatever it looks like.
  const plain = (canary: string) => canary.replaceAll(/\W/g, '')
  writeFileSync(join(files, 'in', 'people.csv'), `id,age\n1,12\n2,${plain(rows.never)}\n`)
  writeFileSync(join(files, 'in', 'failed.csv'), `id,age\n1,12\n2,${plain(rows.ofRun)}\n`)
  const hex = Buffer.from(pasted).toString('hex')
  writeFileSync(join(files, 'in', `${hex.slice(0, 200)}.csv`), `id,${encodeURIComponent(pasted)}\n1,2\n`)
  const path = join(files, 'shop.db')
  const shop = new Database(path)
  shop.exec(`CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT DEFAULT '${plain(rows.never)}', "${hex}" TEXT)`)
  const add = shop.prepare('INSERT INTO notes (text) VALUES (?)')
  for (const text of [rows.shown, `${'.'.repeat(190)}${pasted}`, pasted, 'd', 'e', rows.unshown, rows.unshown])
    add.run(text)
  shop.close()

  const values = {
    'ai.provider': 'compatible',
    'ai.base_url': tap.url,
    'ai.model': 'm',
    'ai.api_key': key,
    'ai.daily_tokens': 0,
  }
  answered(await ask('PUT', '/api/server/config', { body: { values } }), 200)
  const create = async (to: string, body: object, shows: string[] = []) =>
    answered(await ask<{ id: number }>('POST', to, { body, shows }), 201).id
  const host = plain(plant('host')).toLowerCase()
  const database = { host, port: 9, database: 'd', user: 'u' }
  const connector = (name: string, password: string) =>
    create('/api/connectors', { name, type: 'postgres', config: database, secrets: { password } }, ['host'])
  const connectors = [
    await create('/api/connectors', { name: 'files', type: 'file', config: { root: files } }),
    await create('/api/connectors', { name: 'shop', type: 'sqlite', config: { path } }),
    await connector('far', stored),
    await connector('further', pasted),
    await connector('furthest', long),
  ]
  const [inFiles = 0, inShop = 0] = connectors
  await vi.waitUntil(async () => {
    const { body } = await ask<{ status: string }[]>('GET', '/api/server/executors')
    return body.some(({ status }) => status === 'online')
  }, patience)

  // Events, as a window hears them all the while.
  const heard: Buffer[] = []
  const stream = await fetch(new URL('/api/events', url), { headers: { cookie }, signal: hearing.signal })
  const hears = (async () => {
    for await (const part of stream.body!) heard.push(Buffer.from(part))
  })().catch(() => {})

  const secretText = commented(writings(pasted))
  const taskOf = (name: string, file: string) => `${secretText}etl: 1
kind: pipeline
name: ${name}
args: {day: {type: string, default: never, description: ${JSON.stringify(pasted)}}}
connectors: {files: {type: file, access: read_write}}
source: {connector: files, files: {glob: in/${file}.csv, format: csv}}
steps:
  - cast: {age: integer}
  - filter: "id <> :day"
target: {connector: files, file: {path: out.jsonl, format: jsonl}}
`
  const seesSaved = { shows: saved }
  const failing = taskOf('failing', 'failed')
  const taskId = await create('/api/tasks', { yaml_content: failing }, saved)
  const job = `${secretText}etl: 1
kind: job
name: nightly
description: ${JSON.stringify(pasted)}
parameters: {day: {type: string}}
connectors: {dw: {type: sqlite}}
tasks:
  load: {task: other}
`
  const other = `etl: 1
kind: pipeline
name: other
args: {day: {type: string, default: ${plain(plant('argument default'))}}}
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{a: "\${{ args.day }}"}]}}
target: {connector: out, file: {path: o.csv}}
`
  const otherId = await create('/api/tasks', { yaml_content: other }, saved)
  const templateId = await create(
    '/api/job-templates',
    {
      yaml_content: job
        .replace('{task: other}', '{task: other, connectors: {out: out}}')
        .replace('dw: {type: sqlite}', 'dw: {type: sqlite}, out: {type: file}'),
    },
    saved,
  )
  const jobId = await create(
    `/api/job-templates/${templateId}/jobs`,
    { name: 'Nightly', connector_mapping: { dw: inShop, out: inFiles } },
    saved,
  )
  const filler = 'What people have bought is counted by day. '
  const references = [
    await create(
      '/api/ai/references',
      { title: 'Short', kind: 'text', content: writings(pasted).join('\n').replaceAll('\0', ' ') },
      saved,
    ),
    await create(
      '/api/ai/references',
      {
        title: 'Long',
        kind: 'markdown',
        content: writings(pasted)
          .map(
            (text) => `# People ${text.replaceAll('\0', '')}\n\n${filler.repeat(40)}\n${text.replaceAll('\0', '')}\n`,
          )
          .join('\n'),
      },
      saved,
    ),
  ]
  const { id: run } = answered(
    await ask<{ id: number }>('POST', `/api/runs/trigger/${taskId}`, {
      body: { connector_mapping: { files: inFiles } },
      ...seesSaved,
    }),
    201,
  )
  await vi.waitUntil(
    async () => (await ask<{ status: string }>('GET', `/api/runs/${run}`, seesSaved)).body.status === 'failed',
    patience,
  )

  const typed = plant('typed').replaceAll(/\W/g, '')
  const everything = [
    ...writings(stored),
    ...writings(long),
    `Authorization: Bearer ${typed}`,
    `api_key: "${typed}"`,
  ].join('\n')
  const prompt = `Load people and notes\n${everything}`
  const base_yaml = `${commented([...writings(stored), ...writings(pasted), `token=${typed}`])}${other.replace(/default: \w+/, 'default: a')}`
  const harmless = (yaml: string) => yaml.replace(secretText, '').replace(JSON.stringify(pasted), 'Day')
  const sound = harmless(taskOf('people', 'people'))
  // Says again what it was told, puts marks where names belong, and wants the column of the canary to be a number.
  const echo = '[secret 1] [secret 2] [secret 3]'
  const replies: Reply[] = [
    {
      text: `${echo}\n${fencedYaml(sound.replace('cast:', '[secret 1]:').replace('name: people', 'name: "[secret 2]"'))}`,
    },
    { text: fencedYaml(sound) },
    { text: `${echo}\n${fencedYaml(sound.replace('- cast: {age: integer}\n', ''))}` },
  ]
  const failures: Reply[] = [
    { status: 500, body: everything },
    { status: 401, body: key },
    { bytes: [`data: ${JSON.stringify({ error: { message: everything, code: key } })}\n\n`] },
  ]
  let requests = 0
  async function propose(what: string, body: object, replying: Reply[] = replies, more: string[] = []) {
    const shows = [...own, ...more]
    const shown = answered(
      await ask<{ digest: string; body: string }>('POST', `/api/ai/${what}/preview`, { body, shows: more }),
      200,
    )
    for (const set of [replying, ...failures.map((one) => [one])]) {
      fake.reply(...set)
      const before = tap.sent.length
      const sent = { ...body, expected_digest: shown.digest }
      answered(await ask('POST', `/api/ai/${what}`, { body: sent, shows }), 200)
      expect([what, tap.sent.length > before]).toEqual([what, true])
      expect(tap.sent[before]?.includes(shown.body)).toBe(true)
      for (const bytes of tap.sent.slice(before)) {
        const [head = '', ...rest] = bytes.toString('latin1').split('\r\n\r\n')
        expect(head.split(key)).toHaveLength(2)
        aviary.saw(`request of ${what}`, head.replace(key, '') + rest.join(), new Set(more))
        requests++
      }
    }
    return shown
  }
  const wide = { prompt, connector_ids: connectors, reference_ids: references, base_yaml }
  await propose('generate-task', wide)
  await propose('generate-task', {
    ...wide,
    base_yaml: `${base_yaml}description: ${JSON.stringify(pasted)}\n`,
    part: 'description',
  })
  await propose('generate-job-template', {
    prompt,
    reference_ids: references,
    base_yaml: job,
    task_ids: [taskId, otherId],
  })
  await propose('generate-dashboard-template', {
    prompt,
    reference_ids: references,
    job_template_id: templateId,
    job_id: jobId,
  })
  for (const connector_id of [inFiles, inShop])
    await propose('generate-query', {
      prompt,
      reference_ids: references,
      connector_id,
      base_query: `SELECT 1 ${commented(writings(stored))}`,
    })
  const odd = Object.fromEntries(writings(stored).map((text) => [text, text]))
  await propose('generate-query', {
    prompt,
    connector_id: inShop,
    builder: true,
    base_query: JSON.stringify({ builder: 'notes', filters: [], ...odd }),
  })
  await propose('explain-run', { run_id: run }, [
    { text: `${echo}\n${fencedYaml(harmless(failing).replace('failed.csv', 'people.csv'))}` },
  ])
  // Rows that were shown may leave, and no others.
  answered(await ask('PUT', '/api/server/config', { body: { values: { 'ai.rows': 'ask' } } }), 200)
  const withRows = { ...wide, connector_ids: [inShop], rows: true }
  const shown = await propose('generate-task', withRows, replies, ['shown row'])
  expect(shown.body).toContain(plain(rows.shown).slice(0, 20))
  await propose('generate-task', { ...wide, rows: false })
  answered(
    await ask('PUT', '/api/server/config', {
      body: { values: { 'ai.provider': 'anthropic', 'ai.api_key': key, 'ai.rows': 'never' } },
    }),
    200,
  )
  await propose('generate-task', wide)
  expect(requests).toBeGreaterThan(50)

  // Nothing came out, and not because nothing was asked.
  const sent = Buffer.concat(tap.sent).toString()
  for (const told of [
    'in/people.csv',
    'notes',
    'in/failed.csv',
    'ai_preview_failed',
    'What people have bought',
    'nightly',
    '[secret ',
  ])
    expect(sent).toContain(told)

  answered(await ask('POST', '/api/ai/test', {}), 200)
  for (const list of ['/api/audit?limit=200', '/api/ai/usage', '/api/server/config', '/api/server/logs', '/metrics'])
    await ask('GET', list)
  hearing.abort()
  await hears
  expect(heard.length).toBeGreaterThan(0)
  // Why a run failed is told to people, by the run itself.
  aviary.saw('events', Buffer.concat(heard), new Set(['row of a run']))
  aviary.sawProcesses(server.pid, 'executor key')
  server.kill('SIGTERM')
  await server.exited
  aviary.saw('stdout', server.stdout.join('\n'))
  aviary.saw('stderr', server.stderr.join('\n'))
  // Texts that were saved are in the store, and so is the value in the reason of a failed run.
  aviary.sawFolder(dataDir, new Set(saved))
  const store = new Database(join(dataDir, 'headgate.db'), { readonly: true })
  aviary.saw('audit records', JSON.stringify(store.prepare('SELECT * FROM audit_records').all()))
  store.close()
  expect(aviary.escaped()).toEqual([])
}, 600_000)
