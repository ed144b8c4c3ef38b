import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pythonProgram } from '../../tools/services/python.mjs'
import { entryOf } from '../support/entries.ts'
import { startFerretDb } from '../support/ferretdb.ts'
import { startMariaDb } from '../support/mariadb.ts'
import { startMinio } from '../support/minio.ts'
import { startPostgres } from '../support/postgres.ts'
import { startSshd } from '../support/sshd.ts'

export interface DifferentialOptions {
  cases: number
  /** Of the first case; each further one has the next number. */
  seed: number
  /** No case begins later than this. */
  seconds: number
  /** Also the cases that show what oracle/known.py lists. */
  known: boolean
}

/** What oracle/main.py writes. */
export interface DifferentialReport {
  cases: number
  seconds: number
  /** By area: how many cases agreed, were refused as documented, differed in a known way, or differed. */
  areas: Record<string, Partial<Record<'agreed' | 'refused' | 'known' | 'differed', number>>>
  /** `said`: a whole account, with task and data. */
  findings: { seeds: number[]; said: string }[]
  /** `seeds`: of the cases that showed it. */
  known: Record<string, { sentence: string; seeds: number[] }>
}

const memoryDisk = '/dev/shm'

/** Runs random tasks on random tables, and lets Python's own clients look at what has arrived. Findings are printed as they come. */
export async function runDifferential(options: DifferentialOptions): Promise<DifferentialReport> {
  // Thousands of tables are made and removed: in memory, where the machine lends it as a disk.
  if (existsSync(memoryDisk)) process.env.TMPDIR = memoryDisk
  const folder = mkdtempSync(join(tmpdir(), 'headgate-differential-'))
  const report = join(folder, 'report.json')
  const [postgres, mariadb, mongo, s3, sftp] = await Promise.all([
    startPostgres(),
    startMariaDb(),
    startFerretDb({ inMemory: true }),
    startMinio(),
    startSshd(),
  ])
  try {
    const address = ({ host, port, user, password, database }: typeof postgres | typeof mariadb) => ({
      host,
      port,
      user,
      password,
      database,
    })
    const request = {
      ...options,
      report,
      processes: availableParallelism(),
      worker: [process.execPath, join(import.meta.dirname, 'children/runner.ts')],
      command: [process.execPath, entryOf('headgate')],
      postgres: address(postgres),
      mariadb: address(mariadb),
      mongodb: mongo.uri,
      s3: { endpoint: s3.endpoint, bucket: s3.bucket, accessKey: s3.accessKey, secretKey: s3.secretKey },
      sftp: { port: sftp.port, user: sftp.user, privateKey: sftp.privateKey, fingerprint: sftp.fingerprint },
    }
    const oracle = join(import.meta.dirname, 'oracle/main.py')
    const child = spawn(pythonProgram, ['-B', oracle, JSON.stringify(request)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const [code] = (await once(child, 'exit')) as [number | null] // as Node says
    if (code !== 0) throw new Error(`The oracle ended with ${code}`)
    return JSON.parse(readFileSync(report, 'utf8')) as DifferentialReport // as main.py writes it
  } finally {
    postgres.stop()
    await Promise.all([mariadb.stop(), mongo.stop(), s3.stop(), sftp.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}
