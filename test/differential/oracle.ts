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

const memoryDisk = '/dev/shm'

/** Runs a script of oracle/ with servers of its own; `options` go to it. What it reports. Ctrl-C ends it, and then the servers. */
export async function oracle(script: string, options: object): Promise<unknown> {
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
    const child = spawn(pythonProgram, ['-B', join(import.meta.dirname, 'oracle', script), JSON.stringify(request)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const interrupt = (): void => void child.kill('SIGINT')
    process.once('SIGINT', interrupt)
    const [code] = (await once(child, 'exit')) as [number | null] // as Node says
    process.removeListener('SIGINT', interrupt)
    if (code !== 0) throw new Error(`The oracle ended with ${code}`)
    return JSON.parse(readFileSync(report, 'utf8')) as unknown
  } finally {
    postgres.stop()
    await Promise.all([mariadb.stop(), mongo.stop(), s3.stop(), sftp.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}
