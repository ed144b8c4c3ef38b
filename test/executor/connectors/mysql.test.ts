import type { Connection } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { hasMariaDb, startMariaDb, type MariaDbServer } from '../../support/mariadb.ts'
import { temporaryFolder } from '../engine/run-task.ts'

describe.skipIf(!hasMariaDb)('connectors of type mysql', () => {
  let server: MariaDbServer
  let secure: MariaDbServer
  let client: Connection
  beforeAll(async () => {
    ;[server, secure] = await Promise.all([startMariaDb(), startMariaDb({ tls: true })])
    client = await server.connect()
  }, 120_000)
  afterAll(async () => {
    await client?.end()
    await server?.stop()
    await secure?.stop()
  })
  beforeEach(async () => {
    await client.query('DROP DATABASE IF EXISTS app; CREATE DATABASE app CHARACTER SET utf8mb4; USE app')
  })

  function connector(more: Record<string, unknown> = {}, password = server.password): BoundConnector {
    const { host, port, database, user } = server
    return {
      id: 9,
      name: 'shop',
      type: 'mysql',
      config: { host, port, database, user, ...more },
      secrets: { password },
    }
  }
  const io = () => ({ signal: new AbortController().signal, tempDir: temporaryFolder() })

  async function test(bound: BoundConnector) {
    const result = await runCall({ kind: 'test', connector: bound }, io())
    if (result.kind !== 'test') throw new Error('another kind of answer')
    return result.value
  }

  it('pass stage by stage', async () => {
    const result = await test(connector())
    expect(result.checks).toMatchObject([
      { name: 'resolve', ok: true },
      { name: 'connect', ok: true },
      { name: 'authenticate', ok: true },
      { name: 'read_probe', ok: true },
      { name: 'write_probe', ok: true },
    ])
    expect(result.ok).toBe(true)
    expect(await client.query("SHOW TABLES LIKE 'headgate%'")).toMatchObject([[], {}])
  })

  it.each([
    ['authenticate', {}, 'wrong', 'Enter the password again', 'ER_ACCESS_DENIED_ERROR'],
    ['resolve', { host: 'no-such-host.invalid' }, undefined, 'Check `host`', /^(ENOTFOUND|EAI_AGAIN)$/],
    ['connect', { port: 1 }, undefined, 'Check host and port', 'ECONNREFUSED'],
    ['tls', { ssl: 'require' }, undefined, 'Set TLS to `disable`', 'HANDSHAKE_NO_SSL_SUPPORT'],
    ['authenticate', { database: 'gone' }, undefined, 'Check `database`', /ER_(BAD_DB|DBACCESS_DENIED)_ERROR/],
    ['authenticate', { user: 'nobody' }, undefined, 'from where the user may sign in', 'ER_ACCESS_DENIED_ERROR'],
  ])('stop at %s with %o', async (stage, more, password, remedy, code) => {
    const result = await test(connector(more, password ?? server.password))
    expect(result.ok).toBe(false)
    const failed = result.checks.at(-1)
    expect(failed).toMatchObject({ name: stage, ok: false })
    expect(failed?.message).toMatch(/connector `shop`/)
    expect(failed?.message).toContain(remedy)
    expect(failed?.error?.name).toBeTruthy()
    expect(failed?.error?.code ?? 'none').toMatch(code)
    expect(JSON.stringify(result)).not.toContain(server.password)
  })

  it('speak TLS, and look at the certificate where they are told to', async () => {
    const result = await test(connector({ port: secure.port, ssl: 'require' }))
    expect(result.checks.map((check) => [check.name, check.ok])).toContainEqual(['tls', true])
    expect(result.ok).toBe(true)
    const strict = await test(connector({ port: secure.port, ssl: 'verify-full' }))
    expect(strict.checks.at(-1)).toMatchObject({ name: 'tls', ok: false })
    expect(strict.checks.at(-1)?.message).toContain('certificate was not accepted')
    const wrong = await test(connector({ port: secure.port, ssl: 'require' }, 'wrong'))
    expect(wrong.checks.at(-1)).toMatchObject({ name: 'authenticate', ok: false })
  })

  it('tell a user who may only read', async () => {
    await client.query(
      "CREATE TABLE t (id int); CREATE OR REPLACE USER reader@'%' IDENTIFIED BY 'r'; GRANT SELECT ON app.* TO reader@'%'",
    )
    const result = await test(connector({ user: 'reader' }, 'r'))
    expect(result.checks.at(-1)).toMatchObject({ name: 'write_probe', ok: false })
    expect(result.checks.at(-1)?.message).toContain('The user reader doesn’t have permission')
    await client.query("GRANT INSERT ON app.t TO reader@'%'")
    const some = await test(connector({ user: 'reader' }, 'r'))
    expect(some.ok).toBe(true)
    expect(some.checks.at(-1)?.message).toContain('may insert rows')
  })

  it('list and describe tables and views', async () => {
    await client.query(`CREATE TABLE orders (id bigint PRIMARY KEY, amount decimal(10,2) NOT NULL DEFAULT 0, note varchar(20), g point, j json, INDEX by_note (note), UNIQUE one (note, amount));
      INSERT INTO orders SELECT seq, seq, concat('n', seq), POINT(seq, 1), '{"a": 1}' FROM seq_1_to_30; ANALYZE TABLE orders;
      CREATE VIEW late AS SELECT * FROM orders; CREATE TABLE \`odd.name "x"\` (a int)`)
    const list = await runCall({ kind: 'list_resources', connector: connector(), q: null }, io())
    expect(list).toMatchObject({
      kind: 'list_resources',
      value: {
        truncated: false,
        resources: [
          { name: 'late', kind: 'view', row_estimate: null },
          { name: '"odd.name ""x"""', kind: 'table' },
          { name: 'orders', kind: 'table', row_estimate: 30 },
        ],
      },
    })
    const some = await runCall({ kind: 'list_resources', connector: connector(), q: 'ORD' }, io())
    expect(some).toMatchObject({ value: { resources: [{ name: 'orders' }] } })
    const detail = await runCall({ kind: 'get_resource', connector: connector(), name: 'orders' }, io())
    expect(detail.value).toMatchObject({
      columns: [
        { name: 'id', type: 'bigint(20)', nullable: false, primary_key: true },
        { name: 'amount', type: 'decimal(10,2)', nullable: false, default: '0.00' },
        { name: 'note', type: 'varchar(20)', nullable: true, default: null },
        { name: 'g', type: 'point' },
        { name: 'j', type: 'longtext' },
      ],
      indexes: expect.arrayContaining([
        { name: 'by_note', columns: ['note'], unique: false },
        { name: 'one', columns: ['note', 'amount'], unique: true },
        { name: 'PRIMARY', columns: ['id'], unique: true },
      ]) as unknown,
      sample: { rows: expect.arrayContaining([[1, '1.00', 'n1', 'POINT(1 1)', '{"a": 1}']]) as unknown },
    })
    const odd = await runCall({ kind: 'get_resource', connector: connector(), name: '"odd.name ""x"""' }, io())
    expect(odd.value).toMatchObject({ columns: [{ name: 'a' }] })
    await expect(runCall({ kind: 'get_resource', connector: connector(), name: 'gone' }, io())).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
