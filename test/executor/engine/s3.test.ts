import {
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutBucketPolicyCommand,
  DeleteObjectCommand,
} from '@aws-sdk/client-s3'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import type { RunOutcome } from '../../../src/executor/worker-protocol.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { listFiles } from '../../../src/executor/connectors/stores/resources.ts'
import { connectorRunner } from '../../../src/executor/connectors/registry.ts'
import { startCutProxy } from '../../support/cut-proxy.ts'
import { minioProgram, startMinio, type MinioServer } from '../../support/minio.ts'
import { fileConnector, flow, runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

let minio: MinioServer
beforeAll(async () => {
  if (minioProgram !== null) minio = await startMinio()
})
afterAll(() => minio?.stop())

function s3Connector(more: Record<string, unknown> = {}, secret?: string): BoundConnector {
  return {
    id: 1,
    name: 'lake',
    type: 's3',
    config: {
      bucket: minio.bucket,
      endpoint: minio.endpoint,
      path_style: true,
      access_key_id: minio.accessKey,
      ...more,
    },
    secrets: { secret_access_key: secret ?? minio.secretKey },
  }
}

async function put(files: Record<string, string | Buffer>): Promise<void> {
  for (const [Key, Body] of Object.entries(files)) {
    await minio.client.send(new PutObjectCommand({ Bucket: minio.bucket, Key, Body }))
  }
}

async function content(key: string): Promise<string> {
  const { Body } = await minio.client.send(new GetObjectCommand({ Bucket: minio.bucket, Key: key }))
  return (await Body?.transformToString()) ?? ''
}

async function keys(prefix: string): Promise<string[]> {
  const { Contents } = await minio.client.send(new ListObjectsV2Command({ Bucket: minio.bucket, Prefix: prefix }))
  return (Contents ?? []).map((object) => object.Key ?? '')
}

const readTask = (files: string) => `etl: 1
kind: pipeline
name: read
connectors: {in: {types: [s3], access: read}, out: {type: file, access: write}}
source: {connector: in, files: ${files}}
target: {connector: out, file: {path: out.jsonl}}
`

async function read(files: string, connector: BoundConnector = s3Connector(), options = {}) {
  const out = temporaryFolder()
  const run = await runTask(readTask(files), { in: connector, out: fileConnector(out) }, options)
  const rows =
    run.status === 'failed'
      ? []
      : readFileSync(join(out, 'out.jsonl'), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { run, rows }
}

function write(
  path: string,
  connector: BoundConnector = s3Connector(),
  rows = '[{a: 1, b: "é\u{1F600}"}, {a: 2, b: null}]',
  options = {},
) {
  return runTask(
    `etl: 1
kind: pipeline
name: write
connectors: {out: {type: s3, access: write}}
source: {inline: {rows: ${rows}}}
target: {connector: out, file: {path: ${path}}}
`,
    { out: connector },
    options,
  )
}

function copy(glob: string, path: string, from: BoundConnector, to: BoundConnector, options = {}) {
  return runTask(
    `etl: 1
kind: pipeline
name: copy
connectors: {in: {types: [s3, file], access: read}, out: {types: [s3, file], access: write}}
source: {connector: in, files: {glob: ${glob}}}
target: {connector: out, file: {path: ${path}}}
`,
    { in: from, out: to },
    options,
  )
}

describe.skipIf(minioProgram === null)('S3', () => {
  it('reads objects by pattern, sorted, across folders, packed ones, too', async () => {
    await put({
      'r/2026/b.csv': 'id,name\n2,ü\n',
      'r/2026/a.csv': 'id,name\n1,x y+z\n',
      'r/2026/.hidden.csv': 'id,name\n9,no\n',
      'r/2025/c d+e%.csv': 'id,name\n3,z\n',
      'r/2025/packed.csv.gz': gzipSync('id,name\n4,gz\n'),
      'r/2026/folder/': Buffer.alloc(0),
      'r/other.txt': 'no',
    })
    expect((await read('{glob: "r/2026/*.csv"}')).rows).toEqual([
      { id: 1, name: 'x y+z' },
      { id: 2, name: 'ü' },
    ])
    expect((await read('{glob: "r/**/*.{csv,csv.gz}", format: csv}')).rows.map((row) => row['id'])).toEqual([
      3, 4, 1, 2,
    ])
    expect((await read('{glob: "r/202[56]/?.csv"}')).rows.map((row) => row['id'])).toEqual([1, 2])
    expect((await read('{glob: "r/2025/c d+e%.csv"}')).rows).toEqual([{ id: 3, name: 'z' }])
  })

  it('refuses objects without the columns of the first one', async () => {
    await put({ 'u/2026/a.csv.gz': gzipSync('id,name\n1,x\n'), 'u/2026/b.csv.gz': gzipSync('id,name,y\n2,x,3\n') })
    const { run } = await read('{glob: "u/**/*.csv.gz"}')
    expect(run.error).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: 'u/2026/b.csv.gz does not match u/2026/a.csv.gz, the first file. It has different columns: extra `y`',
    })
  })

  it('keeps to its prefix', async () => {
    await put({ 'p/in/a.csv': 'id\n1\n', 'p/inside.csv': 'id\n2\n', 'p/b.csv': 'id\n3\n' })
    const below = s3Connector({ prefix: '/p/in/' })
    expect((await read('{glob: "**/*.csv"}', below)).rows).toEqual([{ id: 1 }])
    const yaml = readTask('{glob: "${{ args.path }}", format: csv}').replace(
      'source:',
      'args: {path: {type: string}}\nsource:',
    )
    for (const path of ['../b.csv', '/p/b.csv', '{..,x}/b.csv', 's3://lake/p/b.csv']) {
      const run = await runTask(yaml, { in: below, out: fileConnector(temporaryFolder()) }, { arguments: { path } })
      expect([path, run.status]).toEqual([path, 'failed'])
      expect(['PATH_OUTSIDE_FOLDER', 'EXPRESSION_FAILED']).toContain(run.error?.code)
    }
    await write('new.csv', below)
    expect(await content('p/in/new.csv')).toContain('a,b\n1,')
  })

  it('writes an object at once and leaves nothing beside it', async () => {
    const run = await write('w/o.csv')
    expect(run.error).toBeUndefined()
    expect(run).toMatchObject({ status: 'success', item_count: 2 })
    expect(await content('w/o.csv')).toBe('a,b\n1,é\u{1F600}\n2,\n')
    await write('w/o.parquet')
    expect((await read('{glob: w/o.parquet}')).rows).toEqual([
      { a: 1, b: 'é\u{1F600}' },
      { a: 2, b: null },
    ])
    expect(await keys('w/')).toEqual(['w/o.csv', 'w/o.parquet'])
  })

  it('puts a large file in parts, whole, and reads it back', async () => {
    const folder = temporaryFolder()
    writeFileSync(
      join(folder, 'n.csv'),
      `n,t\n${Array.from({ length: 600_000 }, (_, n) => `${n},${'text '.repeat(6)}${n}`).join('\n')}\n`,
    )
    const up = await copy('n.csv', 'big/n.csv', fileConnector(folder), s3Connector())
    expect(up.error).toBeUndefined()
    const down = await copy('big/n.csv', 'back.csv', s3Connector(), fileConnector(folder))
    expect(flow(down)).toBe('source 600000→600000 | target 600000→600000')
    expect(readFileSync(join(folder, 'back.csv')).equals(readFileSync(join(folder, 'n.csv')))).toBe(true)
    const { Uploads } = await minio.client.send(
      new ListMultipartUploadsCommand({ Bucket: minio.bucket, Prefix: 'big/n.csv' }),
    )
    expect(Uploads ?? []).toEqual([])
  })

  it('ends uploads that killed runs have left a day ago, of the same object only', async () => {
    const begin = (Key: string) => minio.client.send(new CreateMultipartUploadCommand({ Bucket: minio.bucket, Key }))
    await begin('left/n.csv')
    await begin('left/n.csv.bak')
    const left = async (Key: string) =>
      (await minio.client.send(new ListMultipartUploadsCommand({ Bucket: minio.bucket, Prefix: Key }))).Uploads
        ?.length ?? 0
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'n.csv'), `n\n${'some text of a line\n'.repeat(600_000)}`)
    expect((await copy('n.csv', 'left/n.csv', fileConnector(folder), s3Connector())).error).toBeUndefined()
    expect(await left('left/n.csv')).toBe(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 })
    try {
      expect((await copy('n.csv', 'left/n.csv', fileConnector(folder), s3Connector())).error).toBeUndefined()
    } finally {
      vi.useRealTimers()
    }
    expect(await left('left/n.csv')).toBe(0)
    expect(await left('left/n.csv.bak')).toBe(1)
  })

  it('lists more objects than one page holds', async () => {
    const puts = Array.from({ length: 1200 }, (_, n) => n)
    while (puts.length > 0)
      await Promise.all(
        puts.splice(0, 100).map((n) => put({ [`many/${String(n).padStart(4, '0')}.jsonl`]: `{"n": ${n}}\n` })),
      )
    const { run, rows } = await read('{glob: "many/*.jsonl"}')
    expect(run.error).toBeUndefined()
    expect(rows).toHaveLength(1200)
    expect(rows.at(-1)).toEqual({ n: 1199 })
    const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
    const listed = await connectorRunner(s3Connector()).listResources(s3Connector(), 'many/0', io)
    expect(listed.truncated).toBe(false)
    expect(listed.resources).toHaveLength(1000)
    const { files, truncated } = await listFiles(s3Connector(), 'many/0*', 900, io)
    expect([files.length, truncated]).toEqual([900, true])
    expect(files[0]).toMatchObject({
      version: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
      size: expect.any(Number) as unknown,
    })
    expect(files[0]?.modified_at).toMatch(/^20\d\d-.*Z$/)
  }, 120_000)

  it('shows an object’s columns and first rows without fetching all of it', async () => {
    await put({
      'd/wide.csv': `n,t\n${Array.from({ length: 400_000 }, (_, n) => `${n},"line\n${n} of a text"`).join('\n')}\n`,
    })
    const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
    const detail = await connectorRunner(s3Connector()).getResource(s3Connector(), 'd/wide.csv', io)
    expect(detail.columns.map(({ name, type }) => [name, type])).toEqual([
      ['n', 'BIGINT'],
      ['t', 'VARCHAR'],
    ])
    expect(detail.bytes).toBeGreaterThan(8_000_000)
    expect(detail.sample.rows[19]).toEqual([19, 'line\n19 of a text'])
  })

  it('previews a large object by its beginning', async () => {
    await put({
      'd/large.csv': `n,t\n${Array.from({ length: 800_000 }, (_, n) => `${n},"some ""text\n${n}"`).join('\n')}\n`,
    })
    const proxy = await startCutProxy(minio.port)
    try {
      const preview = await runCall(
        {
          kind: 'preview',
          yaml_content: readTask('{glob: "d/la*.csv"}'),
          arguments: {},
          connectors: { in: s3Connector({ endpoint: `http://127.0.0.1:${proxy.port}` }) },
          step: null,
          limit: 100,
        },
        { signal: new AbortController().signal, tempDir: temporaryFolder() },
      )
      if (preview.kind !== 'preview') throw new Error(preview.kind)
      expect(preview.value.stages[0]).toMatchObject({
        row_count: 100,
        columns: [
          { name: 'n', type: 'BIGINT' },
          { name: 't', type: 'VARCHAR' },
        ],
      })
      expect(preview.value.stages[0]?.rows[99]).toEqual([99, 'some "text\n99'])
      expect(proxy.passed().back).toBeLessThan(8_000_000)
    } finally {
      await proxy.stop()
    }
  })

  it('goes on where the connection broke off', async () => {
    const text = `n,t\n${Array.from({ length: 300_000 }, (_, n) => `${n},some text`).join('\n')}\n`
    await put({ 'cut/n.csv': text })
    const proxy = await startCutProxy(minio.port)
    try {
      proxy.cutAfter(700_000, 3)
      const { run } = await read('{glob: cut/n.csv}', s3Connector({ endpoint: `http://127.0.0.1:${proxy.port}` }))
      expect(run.error).toBeUndefined()
      expect(run.item_count).toBe(300_000)
      expect(proxy.connections()).toBeGreaterThan(3)
      proxy.cutAfter(0, 1000)
      const failed = await read('{glob: cut/n.csv}', s3Connector({ endpoint: `http://127.0.0.1:${proxy.port}` }))
      expect(failed.run.error).toMatchObject({ code: 'CONNECTION_FAILED', retryable: true })
    } finally {
      await proxy.stop()
    }
  })

  it('puts an object whole although the connection breaks off, and leaves the old one when it stays away', async () => {
    await put({ 'up/n.csv': 'old' })
    const folder = temporaryFolder()
    const text = `n\n${Array.from({ length: 3_000_000 }, (_, n) => n).join('\n')}\n`
    writeFileSync(join(folder, 'n.csv'), text)
    const proxy = await startCutProxy(minio.port)
    const far = s3Connector({ endpoint: `http://127.0.0.1:${proxy.port}` })
    const begun = async (bytes: number) => {
      await expect.poll(() => proxy.passed().there, { interval: 2, timeout: 60_000 }).toBeGreaterThan(bytes)
    }
    try {
      const running = copy('n.csv', 'up/n.csv', fileConnector(folder), far)
      await begun(3_000_000)
      proxy.cutNow()
      expect((await running).error).toBeUndefined()
      expect((await content('up/n.csv')) === text).toBe(true)

      await put({ 'up/n.csv': 'old' })
      const failing = copy('n.csv', 'up/n.csv', fileConnector(folder), far)
      await begun(proxy.passed().there + 3_000_000)
      proxy.cutAfter(-1, 1000)
      proxy.cutNow()
      expect((await failing).error).toMatchObject({ code: 'CONNECTION_FAILED', step: 'target' })
      expect(await content('up/n.csv')).toBe('old')
    } finally {
      await proxy.stop()
    }
  })

  it('says that the store cannot be reached, and that this may pass', async () => {
    const { run } = await read('{glob: a.csv}', s3Connector({ endpoint: 'http://127.0.0.1:9' }))
    expect(run.error).toMatchObject({ code: 'CONNECTION_FAILED', step: 'source', retryable: true })
    expect(run.error?.message).toMatch(/failed\. Connection refused: 127\.0\.0\.1:9 \(connector `lake`\)$/)
    expect(run.error?.hint).toBe('Check the endpoint, that the store is running, and that it listens on that address.')
  })

  it('names keys, bucket and object that are wrong', async () => {
    const wrong = await read('{glob: "r/*.csv"}', s3Connector({}, 'wrong'))
    expect(wrong.run.error).toMatchObject({ code: 'AUTHENTICATION_FAILED', retryable: false })
    expect(JSON.stringify(wrong.run)).not.toContain('wrong"')
    expect((await read('{glob: r/2026/a.csv}', s3Connector({}, 'wrong'))).run.error?.code).toBe('AUTHENTICATION_FAILED')
    const unknown = await read('{glob: "r/*.csv"}', s3Connector({ access_key_id: 'nobody' }))
    expect(unknown.run.error?.message).toContain('InvalidAccessKeyId')
    const half = await read('{glob: "r/*.csv"}', { ...s3Connector(), secrets: {} })
    expect(half.run.error?.message).toContain('has an access key but no secret key')
    const bucket = await read('{glob: "r/*.csv"}', s3Connector({ bucket: 'elsewhere' }))
    expect(bucket.run.error).toMatchObject({ code: 'FOLDER_NOT_FOUND' })
    await put({ 'r/2026/a.csv': 'id\n1\n' })
    const near = await read('{glob: r/2026/aa.csv}')
    expect(near.run.error).toMatchObject({ code: 'FILE_NOT_FOUND' })
    expect(near.run.error?.hint).toContain('`a.csv`')
    expect((await write('o.csv', s3Connector({ bucket: 'elsewhere' }))).error).toMatchObject({
      code: 'FOLDER_NOT_FOUND',
      step: 'target',
    })
  })

  it('reads a public bucket without keys, and says what it does not allow', async () => {
    await put({ 'open/a.csv': 'id\n1\n', 'open/secret/b.csv': 'id\n2\n' })
    const allow = (actions: string[], resource: string) => ({
      Effect: 'Allow',
      Principal: { AWS: ['*'] },
      Action: actions,
      Resource: [`arn:aws:s3:::${resource}`],
    })
    const policy = {
      Version: '2012-10-17',
      Statement: [
        allow(['s3:ListBucket'], minio.bucket),
        allow(['s3:GetObject'], `${minio.bucket}/open/*.csv`),
        { ...allow(['s3:GetObject'], `${minio.bucket}/open/secret/*`), Effect: 'Deny' },
      ],
    }
    await minio.client.send(new PutBucketPolicyCommand({ Bucket: minio.bucket, Policy: JSON.stringify(policy) }))
    const anyone = { ...s3Connector(), config: { ...s3Connector().config, access_key_id: '' }, secrets: {} }
    expect((await read('{glob: open/*.csv}', anyone)).rows).toEqual([{ id: 1 }])
    const denied = await read('{glob: "open/secret/*.csv"}', anyone)
    expect(denied.run.error).toMatchObject({ code: 'FILE_UNREADABLE', retryable: false })
    expect(denied.run.error?.message).toContain('s3://lake/open/secret/b.csv is not allowed')
    const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
    const test = await connectorRunner(anyone).test(anyone, io)
    expect(test.ok).toBe(true)
    expect(test.checks.at(-1)).toMatchObject({
      name: 'write_probe',
      ok: true,
      message: expect.stringContaining('not write'),
    })
  })

  it('tests a connection stage by stage', async () => {
    const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
    const test = (connector: BoundConnector) => connectorRunner(connector).test(connector, io)
    const good = await test(s3Connector())
    expect(good.checks.map((check) => [check.name, check.ok])).toEqual(
      ['resolve', 'connect', 'authenticate', 'read_probe', 'write_probe'].map((name) => [name, true]),
    )
    expect((await test(s3Connector({}, 'wrong'))).checks.at(-1)).toMatchObject({
      name: 'authenticate',
      ok: false,
      error: { name: 'SignatureDoesNotMatch' },
    })
    expect((await test(s3Connector({ bucket: 'elsewhere' }))).checks.at(-1)).toMatchObject({
      name: 'read_probe',
      ok: false,
      error: { name: 'NoSuchBucket' },
    })
    expect((await test(s3Connector({ endpoint: 'http://127.0.0.1:9' }))).checks.at(-1)).toMatchObject({
      name: 'connect',
      ok: false,
      message: expect.stringContaining('Connection refused: 127.0.0.1:9'),
      error: { code: 'ECONNREFUSED' },
    })
    expect(await keys('.headgate')).toEqual([])
  })

  it('takes each object once, a changed one again, and forgets those that are gone', async () => {
    await put({ 'new/a.csv': 'id\n1\n', 'new/b.csv': 'id\n2\n' })
    const database = sqliteConnector(join(temporaryFolder(), 'app.db'))
    const yaml = `etl: 1
kind: pipeline
name: take
connectors: {in: {type: s3, access: read}, db: {type: sqlite, access: write}}
source: {connector: in, files: {glob: "new/*.csv", new_only: true}}
target: {connector: db, table: t, mode: append}
`
    const take = (state?: Awaited<ReturnType<typeof runTask>>['state']) =>
      runTask(yaml, { in: s3Connector(), db: database }, { state })
    const first = await take()
    expect(first).toMatchObject({ status: 'success', item_count: 2 })
    expect(Object.keys(first.state?.files ?? {})).toEqual(['new/a.csv', 'new/b.csv'])
    const second = await take(first.state)
    expect(second).toMatchObject({ status: 'success', item_count: 0, state: first.state })
    await put({ 'new/b.csv': 'id\n3\n', 'new/c.csv': 'id\n4\n' })
    await minio.client.send(new DeleteObjectCommand({ Bucket: minio.bucket, Key: 'new/a.csv' }))
    const third = await take(second.state)
    expect(third).toMatchObject({ status: 'success', item_count: 2 })
    expect(Object.keys(third.state?.files ?? {})).toEqual(['new/b.csv', 'new/c.csv'])
  })

  it('reads objects whose names no disk would take, and names them in messages as they are', async () => {
    await put({
      'odd/we[i]rd%{1}.csv': 'id\n1\n',
      'odd/a%2Fb ü.csv': 'id\n2\n',
      [`odd/${`${'long'.repeat(24)}/`.repeat(9)}x.csv`]: 'id\n3\n',
      'odd/same/x.csv': 'id\n4\n',
    })
    const { run, rows } = await read('{glob: "odd/**", format: csv}')
    expect(run.error).toBeUndefined()
    expect(new Set(rows.map((row) => row['id']))).toEqual(new Set([1, 2, 3, 4]))
    await put({ 'bad/r.csv': 'a,b\n1,2\n3,4,5\n' })
    const ragged = await read('{glob: "bad/*.csv"}')
    expect(ragged.run.error?.message).toMatch(/^bad\/r\.csv, line 3: the row has 3 fields/)
    const rejected = await read('{glob: "bad/*.csv", on_error: quarantine}')
    expect(rejected.run.rejects[0]?.reason).toMatch(/^bad\/r\.csv, line 3: /)
    await put({ 'bad/r.parquet': 'PAR1 none PAR1' })
    const damaged = await read('{glob: bad/r.parquet}')
    expect(damaged.run.error?.code).toBe('FILE_UNREADABLE')
    expect(damaged.run.error?.message).not.toContain('/tmp')
  })

  it('reads an object that changes while it is fetched as it is then, and says that one was removed', async () => {
    const lines = (text: string) => `n,t\n${Array.from({ length: 200_000 }, (_, n) => `${n},${text}`).join('\n')}\n`
    await put({ 'change/n.csv': lines('old') })
    const proxy = await startCutProxy(minio.port)
    const far = s3Connector({ endpoint: `http://127.0.0.1:${proxy.port}` })
    try {
      // It stops half way, changes, and is then read again from the start.
      proxy.hold(500_000)
      const running = read('{glob: "change/*.csv"}', far)
      await expect.poll(() => proxy.passed().back, { interval: 2, timeout: 60_000 }).toBeGreaterThan(400_000)
      await put({ 'change/n.csv': lines('new') })
      proxy.cutNow()
      const { run, rows } = await running
      expect(run.error).toBeUndefined()
      expect(new Set(rows.map((row) => row['t']))).toEqual(new Set(['new']))

      const before = proxy.passed().back
      proxy.hold(before + 500_000)
      const gone = read('{glob: "change/*.csv"}', far)
      await expect.poll(() => proxy.passed().back, { interval: 2, timeout: 60_000 }).toBeGreaterThan(before + 400_000)
      await minio.client.send(new DeleteObjectCommand({ Bucket: minio.bucket, Key: 'change/n.csv' }))
      proxy.cutNow()
      expect((await gone).run.error).toMatchObject({ code: 'FILE_NOT_FOUND', retryable: true })
    } finally {
      await proxy.stop()
    }
  })

  it('asks nothing of where a cloud gives out its credentials', async () => {
    for (const endpoint of ['http://169.254.169.254', 'http://metadata.google.internal']) {
      const { run } = await read('{glob: a.csv}', s3Connector({ endpoint }))
      expect([endpoint, run.status]).toEqual([endpoint, 'failed'])
      expect(run.error?.message).not.toContain('ETIMEDOUT')
      const test = await connectorRunner(s3Connector({ endpoint })).test(s3Connector({ endpoint }), {
        signal: new AbortController().signal,
        tempDir: temporaryFolder(),
      })
      expect(test.ok).toBe(false)
    }
  })

  it.runIf(process.getuid?.() === 0)('says before it fetches that there is no room', async () => {
    await put({ 'room/n.csv': `n\n${'1234567\n'.repeat(200_000)}` })
    const small = temporaryFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=65m', 'tmpfs', small])
    try {
      const { run } = await read('{glob: room/n.csv}', s3Connector(), { tempDir: small })
      expect(run.error).toMatchObject({ code: 'DISK_FULL', step: 'source', retryable: true })
      expect(run.error?.message).toContain('1,600,002 bytes')
    } finally {
      execFileSync('umount', [small])
    }
  })

  it('writes and reads workbooks', async () => {
    await write('book/o.xlsx')
    const { rows } = await read('{glob: "book/*.xlsx"}')
    expect(rows).toEqual([
      { a: 1, b: 'é\u{1F600}' },
      { a: 2, b: null },
    ])
  })

  it('stops a download and an upload at once, and leaves no parts', async () => {
    await put({ 'stop/n.csv': `n,t\n${Array.from({ length: 2_000_000 }, (_, n) => `${n},text`).join('\n')}\n` })
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'n.csv'), await content('stop/n.csv'))
    const proxy = await startCutProxy(minio.port)
    const far = s3Connector({ endpoint: `http://127.0.0.1:${proxy.port}` })
    const stopOnce = async (running: Promise<RunOutcome>, stop: AbortController, begun: () => boolean) => {
      await expect.poll(begun, { interval: 5, timeout: 60_000 }).toBe(true)
      stop.abort()
      expect((await running).error?.code).toBe('CANCELLED')
    }
    try {
      const down = new AbortController()
      // Nothing more comes: whoever waited for the next piece would wait for ever.
      proxy.hold(200_000)
      const reading = read('{glob: stop/n.csv}', far, { signal: down.signal })
      await stopOnce(
        reading.then(({ run }) => run),
        down,
        () => proxy.passed().back > 200_000,
      )
      proxy.cutNow()
      const up = new AbortController()
      const writing = copy('n.csv', 'stop/up.csv', fileConnector(folder), far, { signal: up.signal })
      await stopOnce(writing, up, () => proxy.passed().there > 9_000_000)
      expect(await keys('stop/up')).toEqual([])
      const uploads = async () =>
        (await minio.client.send(new ListMultipartUploadsCommand({ Bucket: minio.bucket, Prefix: 'stop/up.csv' })))
          .Uploads
      await expect.poll(uploads).toBe(undefined)
    } finally {
      await proxy.stop()
    }
  })
})
