import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { listFiles } from '../../../src/executor/connectors/stores/resources.ts'
import { connectorRunner } from '../../../src/executor/connectors/registry.ts'
import { startCutProxy } from '../../support/cut-proxy.ts'
import { sshdProgram, startSshd, type SshServer } from '../../support/sshd.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

let server: SshServer
beforeAll(async () => {
  if (sshdProgram !== null) server = await startSshd()
})
afterAll(() => server?.stop())
beforeEach(() => {
  if (!server) return
  for (const name of readdirSync(server.folder)) rmSync(join(server.folder, name), { recursive: true, force: true })
})

function sftp(more: Record<string, unknown> = {}, secrets?: Record<string, string>): BoundConnector {
  return {
    id: 1,
    name: 'inbox',
    type: 'sftp',
    config: {
      host: '127.0.0.1',
      port: server.port,
      user: server.user,
      root: server.folder,
      host_key: server.fingerprint,
      ...more,
    },
    secrets: secrets ?? { private_key: server.privateKey },
  }
}

function put(files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(server.folder, path, '..'), { recursive: true })
    writeFileSync(join(server.folder, path), content)
  }
}

/** As programs do that never leave a file half written. */
function writeNew(path: string, text: string): void {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

async function read(files: string, connector = sftp(), options = {}) {
  const out = temporaryFolder()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: read
connectors: {in: {types: [sftp], access: read}, out: {type: file, access: write}}
args: {path: {type: string, default: a.csv}}
source: {connector: in, files: ${files}}
target: {connector: out, file: {path: out.jsonl}}
`,
    { in: connector, out: fileConnector(out) },
    options,
  )
  const rows =
    run.status === 'failed'
      ? []
      : readFileSync(join(out, 'out.jsonl'), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { run, rows }
}

function write(path: string, connector = sftp(), options = {}) {
  return runTask(
    `etl: 1
kind: pipeline
name: write
connectors: {out: {type: sftp, access: write}}
source: {inline: {rows: [{a: 1, b: é}, {a: 2, b: null}]}}
target: {connector: out, file: {path: ${path}}}
`,
    { out: connector },
    options,
  )
}

const io = () => ({ signal: new AbortController().signal, tempDir: temporaryFolder() })

describe.skipIf(sshdProgram === null)('SFTP', () => {
  it('reads files by the same patterns as from a folder', async () => {
    put({
      'x/b.csv': 'id\n2\n',
      'x/a.csv': 'id\n1\n',
      'x/.h.csv': 'id\n9\n',
      'x/y/c d.tsv': 'id\tn\n3\tü\n',
      'z.txt': 'no',
    })
    expect((await read('{glob: "x/*.csv"}')).rows).toEqual([{ id: 1 }, { id: 2 }])
    expect((await read('{glob: "**/{a,b}.csv"}')).rows).toEqual([{ id: 1 }, { id: 2 }])
    expect((await read('{glob: "**/*.tsv"}')).rows).toEqual([{ id: 3, n: 'ü' }])
    expect((await read('{glob: x/a.csv}')).rows).toEqual([{ id: 1 }])
  })

  it('refuses files without the columns of the first one', async () => {
    put({ 'x/a.jsonl': '{"id":1,"name":"x"}\n', 'x/b.jsonl': '{"id":2}\n' })
    const { run } = await read('{glob: "x/*.jsonl"}')
    expect(run.error).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: 'x/b.jsonl does not match x/a.jsonl, the first file. It has different columns: missing `name`',
    })
  })

  it('refuses a pattern that may mean a file whose name is not valid UTF-8', async () => {
    put({ 'x/a.csv': 'id\n1\n', 'x/b\ufffd.csv': 'id\n2\n' })
    expect((await read('{glob: "x/*.csv"}')).rows).toEqual([{ id: 1 }, { id: 2 }])
    writeFileSync(
      Buffer.concat([Buffer.from(`${server.folder}/x/caf`), Buffer.from([0xe9, 0x2e, 0x63, 0x73, 0x76])]),
      '',
    )
    const { run } = await read('{glob: "x/*.csv"}')
    expect(run.error).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: `An entry of ${server.folder}/x may match \`x/*.csv\`, but its name is not valid UTF-8: \`caf\\ufffd.csv\``,
    })
    expect((await read('{glob: "x/[ab]*.csv"}')).rows).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('reads files whose names mean something else on this disk or in patterns', async () => {
    put({ 'o/we[i]rd*?:"<>|%{}.csv': 'id\n1\n', 'o/a\\b\nc.csv': 'id\n2\n', 'o/x.csv': 'a,b\n1,2\n3\n' })
    const { run, rows } = await read('{glob: "o/{we,a}*.csv"}')
    expect(run.error).toBeUndefined()
    expect(new Set(rows.map((row) => row['id']))).toEqual(new Set([1, 2]))
    expect((await read('{glob: o/x.csv}')).run.error?.message).toMatch(/^o\/x\.csv, line 3: the row has 1 fields/)
  })

  it('writes a file at once, makes folders on the way, and leaves nothing beside it', async () => {
    const run = await write('new/deep/o.csv')
    expect(run.error).toBeUndefined()
    expect(readFileSync(join(server.folder, 'new/deep/o.csv'), 'utf8')).toBe('a,b\n1,é\n2,\n')
    await write('new/deep/o.csv')
    expect(readdirSync(join(server.folder, 'new/deep'))).toEqual(['o.csv'])
    expect(run.log.some((line) => line.level === 'warn')).toBe(false)
  })

  it('replaces a file, and says so, where the server cannot do it in one step', async () => {
    const old = await startSshd({ subsystem: 'internal-sftp -P posix-rename,fsync' })
    try {
      const connector = sftp(
        { port: old.port, root: old.folder, host_key: old.fingerprint },
        { private_key: old.privateKey },
      )
      writeFileSync(join(old.folder, 'o.csv'), 'old')
      const run = await write('o.csv', connector)
      expect(run.error ?? run.status).toBe('success')
      expect(readFileSync(join(old.folder, 'o.csv'), 'utf8')).toContain('1,é')
      expect(readdirSync(old.folder)).toEqual(['o.csv'])
    } finally {
      await old.stop()
    }
  })

  it('removes what killed runs have left a day ago, and nothing else', async () => {
    put({
      '.o.csv.0123456789abcdef.part': 'old',
      '.o.csv.1123456789abcdef.part': 'young',
      '.p.csv.0123456789abcdef.part': 'other',
    })
    const old = new Date(Date.now() - 25 * 3_600_000)
    for (const name of ['.o.csv.0123456789abcdef.part', '.p.csv.0123456789abcdef.part'])
      utimesSync(join(server.folder, name), old, old)
    await write('o.csv')
    expect(readdirSync(server.folder).toSorted()).toEqual([
      '.o.csv.1123456789abcdef.part',
      '.p.csv.0123456789abcdef.part',
      'o.csv',
    ])
  })

  it('stays below its folder, links followed', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'headgate-elsewhere-'))
    try {
      writeFileSync(join(elsewhere, 'secret.csv'), 'id\n1\n')
      put({ 'own/a.csv': 'id\n5\n' })
      symlinkSync(elsewhere, join(server.folder, 'dir'))
      symlinkSync(join(elsewhere, 'secret.csv'), join(server.folder, 'link.csv'))
      symlinkSync(join(server.folder, 'own'), join(server.folder, 'mine'))
      for (const glob of ['dir/secret.csv', 'link.csv', '*.csv', 'dir/*.csv', '*/secret.csv']) {
        const { run } = await read(`{glob: "${glob}"}`)
        expect([glob, run.error?.code]).toEqual([glob, 'PATH_OUTSIDE_FOLDER'])
      }
      for (const path of ['../x.csv', '/etc/passwd', 'a/../../x.csv', 'a\\..\\x.csv']) {
        const { run } = await read('{glob: "${{ args.path }}", format: csv}', sftp(), { arguments: { path } })
        expect([path, run.status]).toEqual([path, 'failed'])
        expect(['PATH_OUTSIDE_FOLDER', 'EXPRESSION_FAILED']).toContain(run.error?.code)
      }
      for (const path of ['dir/o.csv', 'link.csv', 'dir/new/o.csv']) {
        const { error } = await write(path)
        expect([path, error?.code]).toEqual([path, 'PATH_OUTSIDE_FOLDER'])
      }
      expect(readdirSync(elsewhere)).toEqual(['secret.csv'])
      expect((await read('{glob: "mine/*.csv"}')).rows).toEqual([{ id: 5 }])
    } finally {
      rmSync(elsewhere, { recursive: true })
    }
  })

  it('lets in with a locked key, and says what is wrong with keys', async () => {
    put({ 'a.csv': 'id\n1\n' })
    const locked = sftp({}, { private_key: server.lockedKey, passphrase: server.passphrase })
    expect((await read('{glob: a.csv}', locked)).rows).toEqual([{ id: 1 }])
    const wrong = await read('{glob: a.csv}', sftp({}, { private_key: server.lockedKey, passphrase: 'no' }))
    expect(wrong.run.error).toMatchObject({ code: 'AUTHENTICATION_FAILED', retryable: false })
    expect(wrong.run.error?.message).toContain('can’t be read')
    const nobody = await read('{glob: a.csv}', sftp({ user: 'nobody-at-all' }))
    expect(nobody.run.error).toMatchObject({ code: 'AUTHENTICATION_FAILED', step: 'source' })
    expect(JSON.stringify([wrong.run, nobody.run])).not.toContain('PRIVATE KEY')
  })

  it('says that nothing answers, and that this may pass', async () => {
    const { run } = await read('{glob: a.csv}', sftp({ port: 9 }))
    expect(run.error).toMatchObject({
      code: 'CONNECTION_FAILED',
      retryable: true,
      message: 'Connecting failed. Connection refused: 127.0.0.1:9 (connector `inbox`)',
      hint: 'Check host and port, that the server is running, and that it listens on that address.',
    })
  })

  it('refuses a server with another key, and tells which one it has', async () => {
    const other = `SHA256:${'A'.repeat(43)}`
    const { run } = await read('{glob: a.csv}', sftp({ host_key: other }))
    expect(run.error).toMatchObject({ code: 'AUTHENTICATION_FAILED' })
    expect(run.error?.message).toContain(server.fingerprint)
    const connector = sftp({ host_key: 'any' })
    const test = await connectorRunner(connector).test(connector, io())
    expect(test.ok).toBe(true)
    expect(test.checks.find((check) => check.name === 'authenticate')?.message).toContain(server.fingerprint)
  })

  it('tests a connection stage by stage', async () => {
    const test = (connector: BoundConnector) => connectorRunner(connector).test(connector, io())
    const good = await test(sftp())
    expect(good.checks.map((check) => [check.name, check.ok, check.message])).toEqual(
      ['resolve', 'connect', 'authenticate', 'read_probe', 'write_probe'].map((name) => [name, true, undefined]),
    )
    expect((await test(sftp({ port: 9 }))).checks.at(-1)).toMatchObject({
      name: 'connect',
      ok: false,
      message: expect.stringContaining('Connection refused: 127.0.0.1:9'),
      error: { code: 'ECONNREFUSED' },
    })
    expect((await test(sftp({ host: 'no-such-host.invalid' }))).checks.at(-1)).toMatchObject({
      name: 'resolve',
      ok: false,
    })
    expect((await test(sftp({ user: 'nobody-at-all' }))).checks.at(-1)).toMatchObject({
      name: 'authenticate',
      ok: false,
    })
    expect((await test(sftp({ root: '/no/such/folder' }))).checks.at(-1)).toMatchObject({
      name: 'read_probe',
      ok: false,
    })
    expect(readdirSync(server.folder)).toEqual([])
  })

  it('lists files and shows their columns', async () => {
    put({ 'd/a.csv': 'id,name\n1,x\n', 'd/b.jsonl': '{"n": 1.5}\n', 'd/c.txt': 'no' })
    const runner = connectorRunner(sftp())
    const { resources } = await runner.listResources(sftp(), null, io())
    expect(resources.map((resource) => resource.name)).toEqual(['d/a.csv', 'd/b.jsonl'])
    const { files } = await listFiles(sftp(), 'd/*', 10, io())
    expect(files.map(({ path, size }) => [path, size])).toEqual([
      ['d/a.csv', 12],
      ['d/b.jsonl', 11],
      ['d/c.txt', 2],
    ])
    expect(files[0]?.modified_at).toMatch(/^20\d\d-.*Z$/)
    const detail = await runner.getResource(sftp(), 'd/a.csv', io())
    expect(detail.sample.rows).toEqual([[1, 'x']])
    expect(detail.bytes).toBe(12)
  })

  it('goes on where the connection broke off', async () => {
    put({ 'n.csv': `n,t\n${Array.from({ length: 300_000 }, (_, n) => `${n},some text`).join('\n')}\n` })
    const proxy = await startCutProxy(server.port)
    try {
      proxy.cutAfter(1_500_000, 2)
      const { run } = await read('{glob: n.csv}', sftp({ port: proxy.port }))
      expect(run.error).toBeUndefined()
      expect(run.item_count).toBe(300_000)
      expect(proxy.connections()).toBeGreaterThan(2)
      proxy.cutAfter(0, 1000)
      const failed = await read('{glob: n.csv}', sftp({ port: proxy.port }))
      expect(failed.run.error).toMatchObject({ code: 'CONNECTION_FAILED', retryable: true })
    } finally {
      await proxy.stop()
    }
  })

  it.each<[string, (path: string, text: string) => void]>([
    ['is replaced', (path, text) => writeNew(path, text.replaceAll('old', 'new'))],
    [
      'shrinks',
      (path, text) => writeFileSync(path, text.replaceAll('old', 'new').slice(0, text.indexOf('\n', 200_000) + 1)),
    ],
    ['grows', (path, text) => writeFileSync(path, `${text.replaceAll('old', 'new')}300000,new\n`)],
  ])('reads a file that %s while it is fetched as it is then, never a mixture', async (_, change) => {
    const text = `n,t\n${Array.from({ length: 300_000 }, (_, n) => `${n},old`).join('\n')}\n`
    put({ 'n.csv': text })
    // Times are told in whole seconds.
    utimesSync(join(server.folder, 'n.csv'), 1_700_000_000, 1_700_000_000)
    const proxy = await startCutProxy(server.port)
    try {
      proxy.hold(800_000)
      const running = read('{glob: n.csv}', sftp({ port: proxy.port }))
      await expect.poll(() => proxy.passed().back, { interval: 2, timeout: 60_000 }).toBeGreaterThan(800_000)
      change(join(server.folder, 'n.csv'), text)
      proxy.cutNow()
      const { run, rows } = await running
      expect(run.error).toBeUndefined()
      expect(run.log.some(({ message }) => message.includes('has changed since it was listed'))).toBe(true)
      const lines = readFileSync(join(server.folder, 'n.csv'), 'utf8').trimEnd().split('\n').slice(1)
      expect(rows).toHaveLength(lines.length)
      expect(rows.every(({ t }) => t === 'new')).toBe(true)
    } finally {
      await proxy.stop()
    }
  })

  it('leaves the old file whole when the connection breaks off while writing', async () => {
    put({ 'o.csv': 'old' })
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'n.csv'), `n\n${Array.from({ length: 500_000 }, (_, n) => n).join('\n')}\n`)
    const proxy = await startCutProxy(server.port)
    try {
      const running = runTask(
        `etl: 1
kind: pipeline
name: copy
connectors: {in: {type: file, access: read}, out: {type: sftp, access: write}}
source: {connector: in, files: {glob: n.csv}}
target: {connector: out, file: {path: o.csv}}
`,
        { in: fileConnector(folder), out: sftp({ port: proxy.port }) },
      )
      await expect.poll(() => proxy.passed().there, { interval: 2, timeout: 60_000 }).toBeGreaterThan(100_000)
      proxy.cutAfter(0, 1)
      const run = await running
      expect(run.error).toMatchObject({ code: 'CONNECTION_FAILED', step: 'target' })
      expect(readFileSync(join(server.folder, 'o.csv'), 'utf8')).toBe('old')
      expect(readdirSync(server.folder)).toEqual(['o.csv'])
    } finally {
      await proxy.stop()
    }
  })

  it('stops at once', async () => {
    put({ 'n.csv': `n,t\n${Array.from({ length: 2_000_000 }, (_, n) => `${n},text`).join('\n')}\n` })
    const proxy = await startCutProxy(server.port)
    try {
      const stop = new AbortController()
      // Nothing more comes: whoever waited for the next piece would wait for ever.
      proxy.hold(500_000)
      const running = read('{glob: n.csv}', sftp({ port: proxy.port }), { signal: stop.signal })
      await expect.poll(() => proxy.passed().back, { interval: 2, timeout: 60_000 }).toBeGreaterThan(500_000)
      stop.abort()
      expect((await running).run.error?.code).toBe('CANCELLED')
    } finally {
      await proxy.stop()
    }
  })

  it('takes each file once, and a changed one again', async () => {
    put({ 'n/a.csv': 'id\n1\n', 'n/b.csv': 'id\n2\n' })
    const database = sqliteConnector(join(temporaryFolder(), 'app.db'))
    const take = (state?: Awaited<ReturnType<typeof runTask>>['state']) =>
      runTask(
        `etl: 1
kind: pipeline
name: take
connectors: {in: {type: sftp, access: read}, db: {type: sqlite, access: write}}
source: {connector: in, files: {glob: "n/*.csv", new_only: true}}
target: {connector: db, table: t, mode: append}
`,
        { in: sftp(), db: database },
        { state },
      )
    const first = await take()
    expect(first.item_count).toBe(2)
    put({ 'n/b.csv': 'id\n20\n30\n' })
    expect((await take(first.state)).item_count).toBe(2)
  })

  it.runIf(process.getuid?.() === 0)('asks by password, and says what this user may not do', async () => {
    const name = 'headgate-sftp-test'
    const secret = 'pass wörd'
    const other = await startSshd({ passwords: true })
    try {
      const hash = execFileSync('openssl', ['passwd', '-6', '-stdin'], {
        input: `${secret}\n`,
        encoding: 'utf8',
      }).trim()
      execFileSync('useradd', ['-M', '-p', hash, '-s', '/bin/sh', name])
      writeFileSync(join(other.folder, 'a.csv'), 'id\n1\n')
      writeFileSync(join(other.folder, 'b.csv'), 'id\n2\n')
      chmodSync(join(other.folder, 'b.csv'), 0o600)
      const connector = sftp(
        { port: other.port, user: name, root: other.folder, host_key: other.fingerprint },
        { password: secret },
      )
      const right = await read('{glob: a.csv}', connector)
      expect(right.run.error).toBeUndefined()
      const denied = await read('{glob: "*.csv"}', connector)
      expect(denied.run.error).toMatchObject({ code: 'FILE_UNREADABLE', retryable: false })
      expect(denied.run.error?.message).toContain('b.csv')
      expect((await write('o.csv', connector)).error).toMatchObject({ code: 'FILE_UNREADABLE', step: 'target' })
      const test = await connectorRunner(connector).test(connector, io())
      expect(test.checks.at(-1)).toMatchObject({ ok: true, message: expect.stringContaining('not write') })
      const wrong = await read('{glob: a.csv}', { ...connector, secrets: { password: 'wrong one' } })
      expect(wrong.run.error).toMatchObject({ code: 'AUTHENTICATION_FAILED' })
      expect(JSON.stringify(wrong.run)).not.toContain('wrong one')
    } finally {
      execFileSync('userdel', [name], { stdio: 'ignore' })
      await other.stop()
    }
  })

  it.runIf(process.getuid?.() === 0)('says that the server’s disk is full, and leaves the old file', async () => {
    const small = join(server.folder, 'small')
    mkdirSync(small)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', small])
    try {
      writeFileSync(join(small, 'o.csv'), 'old')
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'n.csv'), `n\n${Array.from({ length: 100_000 }, (_, n) => n).join('\n')}\n`)
      for (const out of [sftp({ root: small }), fileConnector(small)]) {
        const run = await runTask(
          `etl: 1
kind: pipeline
name: copy
connectors: {in: {type: file, access: read}, out: {types: [sftp, file], access: write}}
source: {connector: in, files: {glob: n.csv}}
target: {connector: out, file: {path: o.csv}}
`,
          { in: fileConnector(folder), out },
        )
        expect(run.error?.code).toBe(out.type === 'file' ? 'DISK_FULL' : 'FILE_UNWRITABLE')
        expect(run.error?.hint).toMatch(/disk/)
        expect(readFileSync(join(small, 'o.csv'), 'utf8')).toBe('old')
        expect(readdirSync(small)).toEqual(['o.csv'])
      }
    } finally {
      execFileSync('umount', [small])
    }
    expect(existsSync(small)).toBe(true)
  })
})
