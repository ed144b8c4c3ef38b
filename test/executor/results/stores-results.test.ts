// Queries over files of S3 and SFTP through server, executor and worker.
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minioProgram, startMinio, type MinioServer } from '../../support/minio.ts'
import { sshdProgram, startSshd, type SshServer } from '../../support/sshd.ts'
import { startResultWorld, type ResultWorld } from './result-world.ts'

const csv = (from: number) => `id,name\n${Array.from({ length: 1000 }, (_, at) => `${from + at},n${at}`).join('\n')}\n`
const outside = [
  `'../x.csv'`,
  `'/etc/passwd'`,
  `'in/../../x.csv'`,
  `read_csv('/etc/passwd')`,
  `'s3://other/x.csv'`,
  `'in/none.csv'`,
]

const writes = [
  `COPY (SELECT 1) TO 'in/a.csv'`,
  `COPY (SELECT 1) TO 's3://bucket/in/a.csv'`,
  `DELETE FROM 'in/a.csv'`,
  `INSERT INTO 'in/a.csv' VALUES (1, 'x')`,
  `UPDATE 'in/a.csv' SET id = 0`,
  `DROP TABLE 'in/a.csv'`,
  `CREATE TABLE x AS SELECT * FROM 'in/a.csv'`,
  `EXPORT DATABASE 'in'`,
  `ATTACH 'in/x.db'`,
  `SET allowed_directories = ['/']`,
  `SELECT 1; COPY (SELECT 1) TO 'in/b.csv'`,
  `WITH x AS (DELETE FROM 'in/a.csv' RETURNING *) SELECT * FROM x`,
]

/** `contents`: what an independent client finds there. */
async function expectNoWrites(id: number, contents: () => unknown): Promise<void> {
  const before = await contents()
  for (const statement of writes) expect([statement, (await world.ask(id, statement)).status]).toEqual([statement, 400])
  expect(await contents()).toEqual(before)
}

let world: ResultWorld
beforeAll(async () => {
  world = await startResultWorld()
})
afterAll(() => world?.close())

async function expectTables(id: number): Promise<void> {
  const { rows } = await world.run(id, `SELECT count(*), sum(id) FROM 'in/*.csv' WHERE name <> :not`, {
    parameters: { not: 'n1' },
  })
  expect(rows).toEqual([['1998', String(1999 * 1000 - 1 - 1001)]])
  const { query_id } = await world.all(id, `SELECT * FROM 'in/a.csv' ORDER BY id`, () => undefined, 100)
  expect((await world.at(id, query_id, 500, 1)).rows).toEqual([['500', 'n500']])
  for (const table of outside) {
    expect([table, (await world.ask(id, `SELECT * FROM ${table}`)).status]).toEqual([
      table,
      expect.toBeOneOf([400, 502]),
    ])
  }
}

describe.skipIf(minioProgram === null)('S3', () => {
  let minio: MinioServer
  beforeAll(async () => {
    minio = await startMinio()
  })
  afterAll(() => minio?.stop())

  test('objects are tables, and nothing besides them', async () => {
    for (const [Key, Body] of Object.entries({ 'in/a.csv': csv(0), 'in/b.csv': csv(1000) }))
      await minio.client.send(new PutObjectCommand({ Bucket: minio.bucket, Key, Body }))
    const { bucket, endpoint, accessKey, secretKey } = minio
    const id = await world.connect({
      type: 's3',
      config: { bucket, endpoint, path_style: true, access_key_id: accessKey },
      secrets: { secret_access_key: secretKey },
    })
    await expectTables(id)
    expect((await world.run(id, 'SELECT 1 AS one')).rows).toEqual([[1]])
    await expectNoWrites(id, async () => {
      const { Contents = [] } = await minio.client.send(new ListObjectsV2Command({ Bucket: bucket }))
      return Contents.map(({ Key, ETag }) => [Key, ETag])
    })
  })
})

describe.skipIf(sshdProgram === null)('SFTP', () => {
  let server: SshServer
  beforeAll(async () => {
    server = await startSshd()
  })
  afterAll(() => server?.stop())

  test('files are tables, and nothing besides them, also not by link', async () => {
    const root = join(server.folder, 'root')
    mkdirSync(join(root, 'in'), { recursive: true })
    writeFileSync(join(root, 'in', 'a.csv'), csv(0))
    writeFileSync(join(root, 'in', 'b.csv'), csv(1000))
    writeFileSync(join(server.folder, 'outside.csv'), 'secret\n1\n')
    symlinkSync(join(server.folder, 'outside.csv'), join(root, 'link.csv'))
    const { port, user, fingerprint, privateKey } = server
    const id = await world.connect({
      type: 'sftp',
      config: { host: '127.0.0.1', port, user, root, host_key: fingerprint },
      secrets: { private_key: privateKey },
    })
    await expectTables(id)
    expect((await world.ask(id, `SELECT * FROM 'link.csv'`)).status).toBe(400)
    await expectNoWrites(id, () =>
      readdirSync(join(root, 'in')).map((file) => [file, readFileSync(join(root, 'in', file), 'utf8')]),
    )
  })
})
