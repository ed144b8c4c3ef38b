import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql, { type Connection } from 'mysql2/promise'
import { freePort } from './free-port.ts'

/** A MariaDB server of the tests' own: its data in a temporary folder, on a free port of 127.0.0.1. */
export interface MariaDbServer {
  host: string
  port: number
  database: string
  user: string
  password: string
  /** With every right, outside of what the tests run. Several statements at once are let through. Close it. */
  connect(): Promise<Connection>
  stop(): Promise<void>
}

const programs = { server: '/usr/sbin/mariadbd', install: '/usr/bin/mariadb-install-db' }

/** Whether it is installed; where it is not, tests are skipped by name. */
export const hasMariaDb: boolean = Object.values(programs).every((path) => existsSync(path))

export interface MariaDbOptions {
  /** Gives the server a certificate that nobody has signed. */
  tls?: boolean
  /** More of the server's options, e.g. `--max-allowed-packet=1M`. */
  settings?: string[]
}

export async function startMariaDb({ tls = false, settings = [] }: MariaDbOptions = {}): Promise<MariaDbServer> {
  if (!hasMariaDb) throw new Error('MariaDB is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'headgate-mariadb-'))
  const data = join(folder, 'data')
  // In a folder that servers share, one that starts deletes the temporary tables of the others.
  const temporary = join(folder, 'tmp')
  for (const path of [data, temporary]) mkdirSync(path)
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : []
  run(programs.install, [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${temporary}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...asRoot,
  ])
  const port = await freePort()
  const log = join(folder, 'log')
  const socket = join(folder, 'socket')
  const child = spawn(
    programs.server,
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--tmpdir=${temporary}`,
      `--socket=${socket}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--log-error=${log}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=64M',
      '--character-set-server=utf8mb4',
      ...(tls ? certificate(folder) : []),
      ...settings,
      ...asRoot,
    ],
    { stdio: 'ignore' },
  )
  const exited = once(child, 'exit')
  await answers(socket, exited, log)
  const user = 'headgate'
  const password = 'sécret "word"'
  const root = await mysql.createConnection({ socketPath: socket, user: 'root' })
  await root.query('CREATE DATABASE app CHARACTER SET utf8mb4')
  await root.query('CREATE USER ?@? IDENTIFIED BY ?', [user, '%', password])
  await root.query('GRANT ALL PRIVILEGES ON app.* TO ?@?', [user, '%'])
  await root.end()
  return {
    host: '127.0.0.1',
    port,
    database: 'app',
    user,
    password,
    connect: () =>
      mysql.createConnection({ socketPath: socket, user: 'root', database: 'app', multipleStatements: true }),
    async stop() {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function run(program: string, args: string[]): void {
  const result = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  if (result.status !== 0) throw new Error(`${program} failed: ${result.stderr}${result.stdout}`)
}

function certificate(folder: string): string[] {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-nodes', '-newkey', 'rsa:2048']
  run('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert])
  return [`--ssl-cert=${cert}`, `--ssl-key=${key}`]
}

async function answers(socket: string, exited: Promise<unknown>, log: string): Promise<void> {
  let gone = false
  void exited.then(() => (gone = true))
  const until = Date.now() + 60_000
  for (;;) {
    try {
      return await (await mysql.createConnection({ socketPath: socket, user: 'root' })).end()
    } catch (error) {
      if (gone || Date.now() > until)
        throw new Error(`MariaDB did not start: ${existsSync(log) ? readFileSync(log, 'utf8') : ''}`, { cause: error })
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
