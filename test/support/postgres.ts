import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** A PostgreSQL server of the tests' own: a fresh cluster in a temporary folder, on a free port of 127.0.0.1. */
export interface PostgresServer {
  host: string
  port: number
  database: string
  user: string
  password: string
  stop(): void
}

const installed = '/usr/lib/postgresql'

/** Where the newest installed PostgreSQL keeps its programs; null where there is none, and tests are skipped by name. */
export const postgresPrograms: string | null = newest()

function newest(): string | null {
  if (!existsSync(installed)) return null
  const versions = readdirSync(installed).toSorted((a, b) => Number(b) - Number(a))
  const found = versions.find((version) => existsSync(join(installed, version, 'bin', 'initdb')))
  return found === undefined ? null : join(installed, found, 'bin')
}

export async function startPostgres(): Promise<PostgresServer> {
  const programs = postgresPrograms
  if (programs === null) throw new Error('PostgreSQL is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'headgate-pg-'))
  const data = join(folder, 'data')
  const password = 'sécret "word"'
  mkdirSync(data)
  writeFileSync(join(folder, 'password'), `${password}\n`)
  // PostgreSQL refuses to run as root.
  const asRoot = process.getuid?.() === 0
  if (asRoot) execFileSync('chown', ['-R', 'postgres', folder])
  chmodSync(folder, 0o700)
  const run = (program: string, args: string[]): void => {
    const [command, all] = asRoot
      ? ['runuser', ['-u', 'postgres', '--', join(programs, program), ...args]]
      : [join(programs, program), args]
    const result = spawnSync(command, all, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    if (result.status !== 0) throw new Error(`${program} failed: ${result.stderr}${result.stdout}`)
  }
  const port = await freePort()
  run('initdb', [
    '-D',
    data,
    '-U',
    'headgate',
    '-A',
    'scram-sha-256',
    '--pwfile',
    join(folder, 'password'),
    '-E',
    'UTF8',
    '--no-sync',
  ])
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=50`
  run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start'])
  return {
    host: '127.0.0.1',
    port,
    database: 'postgres',
    user: 'headgate',
    password,
    stop() {
      run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
