import Database from 'better-sqlite3'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

const ending: (() => void)[] = []
afterEach(() => {
  for (const end of ending.splice(0)) end()
})

interface World {
  run(
    hooks: string,
    more?: { steps?: string; outputs?: string; signal?: AbortSignal; api?: BoundConnector },
  ): Promise<FinishedRun>
  /** What the hooks have written down. */
  told(): unknown[]
  written(): number
}

function world(): World {
  const path = join(temporaryFolder(), 'app.db')
  const database = new Database(path)
  database.exec('CREATE TABLE told (what TEXT, rows INTEGER); CREATE TABLE out (id INTEGER)')
  return {
    run: (hooks, { steps = '[]', outputs = '{}', signal, api } = {}) =>
      runTask(
        `etl: 1
kind: pipeline
name: hooked
connectors:
  db: {type: sqlite, access: read_write}
  api: {type: http, access: read_write}
args: {day: {type: date, default: "2024-02-29"}}
source: {inline: {rows: [{id: 1}, {id: 2}]}}
steps: ${steps}
target: {connector: db, table: out}
hooks: ${hooks}
outputs: ${outputs}
`,
        { db: sqliteConnector(path), ...(api ? { api } : {}) },
        signal ? { signal } : {},
      ),
    told: () => database.prepare('SELECT * FROM told').raw().all(),
    written: () => Number(database.prepare('SELECT count(*) FROM out').pluck().get()),
  }
}
const tell = (what: string): string =>
  `{connector: db, sql: "INSERT INTO told VALUES ('${what}', (SELECT count(*) FROM out))"}`
const tellError = `{connector: db, sql: "INSERT INTO told VALUES (:code || ' at ' || coalesce(:step, '-'), (SELECT count(*) FROM out))", params: {code: "\${{ error.code }}", step: "\${{ error.step }}"}}`

describe('hooks', () => {
  it('run before the work and after the commit, with what they know then', async () => {
    const app = world()
    const run = await app.run(`
  before:
    - ${tell('first')}
    - {connector: db, sql: ["DELETE FROM out", "INSERT INTO told VALUES (:day, NULL)"]}
  after:
    - connector: db
      sql: "INSERT INTO told VALUES ('after ' || :name, :rows)"
      params: {name: "\${{ run.task_name }}", rows: "\${{ run.item_count }}"}
  on_error: [${tell('never')}]`)
    expect(run.status).toBe('success')
    expect(app.told()).toEqual([
      ['first', 0],
      ['2024-02-29', null],
      ['after test', 2],
    ])
    expect(
      run.log
        .filter((line) => /^(before|after)\.\d$/.test(line.step ?? ''))
        .map((line) => [line.step, line.message.replace(/ \(.*/, '')]),
    ).toEqual([
      ['before.1', 'One statement on app: 1 rows changed'],
      ['before.2', '2 statements on app: 1 rows changed'],
      ['after.1', 'One statement on app: 1 rows changed'],
    ])
  })

  it('before: a failure fails the run before anything is done, and later ones are left out', async () => {
    const app = world()
    const run = await app.run(`
  before: [${tell('first')}, {connector: db, sql: INSERT INTO missing VALUES (1)}, ${tell('third')}]
  after: [${tell('after')}]
  on_error: [${tellError}]`)
    expect(run).toMatchObject({ status: 'failed', item_count: null, error: { step: 'before.2' } })
    expect(run.error?.message).toContain('missing')
    expect(run.steps.map((step) => step.status)).toEqual(['skipped', 'skipped'])
    expect(app.told()).toEqual([
      ['first', 0],
      [`${run.error?.code} at before.2`, 0],
    ])
    expect(app.written()).toBe(0)
  })

  it('after: a failure fails the run, and what is written stays', async () => {
    const app = world()
    const run = await app.run(`
  after: [{connector: db, sql: ["INSERT INTO told VALUES ('undone', 0)", "INSERT INTO missing VALUES (1)"]}]
  on_error: [${tellError}]`)
    expect(run).toMatchObject({ status: 'failed', item_count: 2, error: { step: 'after.1' } })
    expect(run.steps.map((step) => step.status)).toEqual(['success', 'success'])
    expect(app.written()).toBe(2)
    // The statements of one hook are done together or not at all.
    expect(app.told()).toEqual([[`${run.error?.code} at after.1`, 2]])
  })

  it('on_error: run after a failure of the work, each whatever becomes of the others', async () => {
    const app = world()
    const run = await app.run(
      `\n  on_error: [{connector: db, sql: DELETE FROM missing}, ${tellError}]\n  after: [${tell('never')}]`,
      { steps: '[{filter: "id > 0"}, {filter: "error(\'no\')"}]' },
    )
    expect(run).toMatchObject({ status: 'failed', error: { step: 'filter_2' } })
    expect(app.told()).toEqual([[`${run.error?.code} at filter_2`, 0]])
    expect(run.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        step: 'on_error.1',
        message: expect.stringContaining('missing') as unknown,
      }),
    )
  })

  it('after: are left out when an output cannot be evaluated, for the run has failed then', async () => {
    const app = world()
    const run = await app.run(`{after: [${tell('never')}], on_error: [${tellError}]}`, {
      outputs: '{bad: "${{ run.item_count + args.day }}"}',
    })
    expect(run).toMatchObject({ status: 'failed', item_count: 2, error: { code: 'EXPRESSION_FAILED' } })
    expect(app.told()).toEqual([['EXPRESSION_FAILED at -', 2]])
  })

  it('on_error: run also when an expression of the task itself fails', async () => {
    const app = world()
    const run = await app.run(`{on_error: [${tellError}], before: [${tell('never')}]}`, {
      steps: '[{filter: {where: "id > :a", params: {a: "${{ args.day + 1 }}"}}}]',
    })
    expect(run).toMatchObject({ status: 'failed', error: { code: 'EXPRESSION_FAILED' } })
    expect(app.told()).toEqual([['EXPRESSION_FAILED at -', 0]])
  })

  it('on_error: are told of the failure without the secrets of any connector', async () => {
    const app = world()
    const api: BoundConnector = { id: 1, name: 'chat', type: 'http', config: {}, secrets: { token: 'canary-7f3a' } }
    const run = await app.run(
      `{on_error: [{connector: db, sql: "INSERT INTO told VALUES (:why, 0)", params: {why: "\${{ error.message }}"}}]}`,
      { steps: `[{filter: "error('canary-7f3a is wrong')"}]`, api },
    )
    expect(run.error?.message).toContain('canary-7f3a')
    expect(JSON.stringify(app.told())).toContain('*** is wrong')
    expect(JSON.stringify(app.told())).not.toContain('canary-7f3a')
  })

  it('name the place of an expression that cannot be evaluated', async () => {
    const run = await world().run(
      '{before: [{connector: db, sql: "DELETE FROM out WHERE id = :a", params: {a: "${{ args.day + 1 }}"}}]}',
    )
    expect(run.error).toMatchObject({
      code: 'EXPRESSION_FAILED',
      message: expect.stringMatching(/^hooks\.before\[0\]\.params\.a: /) as unknown,
    })
  })

  it('say that a slot has no connector', async () => {
    const run = await world().run('{before: [{connector: api, http: {path: /x}}]}')
    expect(run.error).toMatchObject({ code: 'CONNECTOR_MISSING', step: 'before.1' })
  })

  it('of a run that is stopped are left out', async () => {
    const stop = new AbortController()
    const app = world()
    const running = app.run(`{on_error: [${tell('never')}]}`, {
      steps: '[{sql: "SELECT count(*) AS id FROM stream, range(3000000) a, range(3000000) b"}]',
      signal: stop.signal,
    })
    setImmediate(() => stop.abort())
    const run = await running
    expect(run.error?.code).toBe('CANCELLED')
    expect(app.told()).toEqual([])
    expect(run.log).toContainEqual(expect.objectContaining({ level: 'warn', step: 'on_error' }))
  })

  it('call an HTTP API, and fail with what it answers', async () => {
    const heard: string[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => (body += part.toString('utf8')))
      request.on('end', () => {
        heard.push(`${request.method} ${request.url} ${body}`)
        response.writeHead(request.url === '/refused' ? 422 : 204).end(request.url === '/refused' ? 'not today' : '')
      })
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    ending.push(() => server.close())
    const { port } = server.address() as AddressInfo // a TCP server has one
    const api: BoundConnector = {
      id: 1,
      name: 'chat',
      type: 'http',
      config: { base_url: `http://127.0.0.1:${port}/`, auth: 'none', allow_private: true },
      secrets: {},
    }
    const app = world()
    const run = await app.run(
      `
  before: [{connector: api, http: {path: /started, query: {day: "\${{ args.day }}"}}}]
  after:
    - {connector: api, http: {path: /done, method: POST, body: {rows: "\${{ run.item_count }}"}}}
    - {connector: api, http: {path: /refused, method: PUT}}
  on_error: [{connector: api, http: {path: /failed, method: POST, body: {code: "\${{ error.code }}", step: "\${{ error.step }}"}}}]`,
      { api },
    )
    expect(heard).toEqual([
      'GET /started?day=2024-02-29 ',
      'POST /done {"rows":2}',
      'PUT /refused ',
      'POST /failed {"code":"REQUEST_REFUSED","step":"after.2"}',
    ])
    expect(run.error).toMatchObject({ step: 'after.2', message: expect.stringContaining('not today') as unknown })
  })
})
