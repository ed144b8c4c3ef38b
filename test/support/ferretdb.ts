import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { serviceBinary } from './services.ts'

/** A server that speaks MongoDB's protocol: one of the tests' own, with its data in a temporary folder, on a free port of 127.0.0.1. */
export interface MongoServer {
  uri: string
  /** Set where the server wants a sign-in. */
  user: string | undefined
  password: string | undefined
  /** A MongoDB server proper, named by MONGODB_URL, can more than FerretDB. */
  real: boolean
  stop(): Promise<void>
}

const memoryDisk = '/dev/shm'
const given = process.env['MONGODB_URL']

/** Whether there is one to test against; where there is none the tests are skipped by name. */
export const hasMongo: boolean = given !== undefined || serviceBinary('ferretdb') !== null

export interface MongoOptions {
  signIn?: boolean
  /** In memory, where the machine lends it as a disk: faster by far where documents are written one by one. */
  inMemory?: boolean
}

export async function startMongo(options: MongoOptions = {}): Promise<MongoServer> {
  if (given !== undefined && options.signIn !== true)
    return { uri: given, user: undefined, password: undefined, real: true, stop: async () => undefined }
  return startFerretDb(options)
}

export async function startFerretDb({ signIn = false, inMemory = false }: MongoOptions = {}): Promise<MongoServer> {
  const program = serviceBinary('ferretdb')
  if (program === null) throw new Error('FerretDB is not built')
  const folder = mkdtempSync(join(inMemory && existsSync(memoryDisk) ? memoryDisk : tmpdir(), 'headgate-ferretdb-'))
  mkdirSync(join(folder, 'data'))
  const port = await freePort()
  const user = signIn ? 'ada' : undefined
  const password = signIn ? 'sécret "word"' : undefined
  const child = spawn(
    program,
    [
      '--handler=sqlite',
      `--sqlite-url=file:${join(folder, 'data')}/`,
      `--state-dir=${folder}`,
      `--listen-addr=127.0.0.1:${port}`,
      '--debug-addr=-',
      '--telemetry=disable',
      '--log-level=ERROR',
      ...(signIn
        ? [
            '--test-enable-new-auth',
            '--setup-database=admin',
            `--setup-username=${user}`,
            `--setup-password=${password}`,
          ]
        : []),
    ],
    { stdio: 'ignore' },
  )
  const exited = once(child, 'exit')
  await listening(port, exited)
  return {
    uri: `mongodb://127.0.0.1:${port}`,
    user,
    password,
    real: false,
    async stop() {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listening(port: number, exited: Promise<unknown>): Promise<void> {
  let gone = false
  void exited.then(() => (gone = true))
  const until = Date.now() + 30_000
  for (;;) {
    if (await accepts(port)) return
    if (gone || Date.now() > until) throw new Error(`FerretDB ${gone ? 'ended' : 'did not listen'}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
