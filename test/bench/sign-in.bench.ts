// What a sign-in costs over HTTP, one after the other and many at once, and what others wait for meanwhile; and what a code of
// the second factor costs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { admin, startServerProcess } from '../faults/support/server-process.ts'
import { type Answer, createClient } from '../support/server.ts'
import { codeAt } from '../support/totp.ts'
import type { BenchResult } from './result.ts'
import { percentile, round } from './support/fake-fleet.ts'

const oneByOne = 20
const waves = [2, 8, 18, 40]
const codes = 20

export async function run(): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-sign-in-'))
  const server = await startServerProcess(dataDir)
  const client = createClient(server.url)
  const login = () => client.post('/api/auth/login', admin)
  const cookieOf = async () => (await login()).headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  const browser = createClient(server.url, { cookie: await cookieOf(), origin: server.url })
  const people = Array.from({ length: Math.max(...waves) }, (_, i) => `person-${i}`)
  const { password } = admin
  for (const username of people) {
    const body = { username, password, role: 'viewer', password_change_required: false }
    expectStatus(await browser.post('/api/users', body), 201)
  }

  const alone: number[] = []
  for (let i = 0; i < oneByOne; i++) alone.push(await timed(login))
  const results: BenchResult[] = [
    {
      name: 'sign-in, one after the other, p50',
      value: round(percentile(alone, 0.5)),
      unit: 'ms',
      note: `p99 ${round(percentile(alone, 0.99))} ms; argon2id, 64 MiB, 3 passes`,
    },
  ]
  const quiet = await beside(browser.get, () => new Promise((resolve) => setTimeout(resolve, 1_000)))
  for (const size of waves) {
    const statuses: number[] = []
    const times: number[] = []
    const began = performance.now()
    const others = await beside(browser.get, () =>
      Promise.all(
        people.slice(0, size).map(async (username) => {
          const signIn = async () => (await client.post('/api/auth/login', { username, password })).status
          times.push(await timed(async () => void statuses.push(await signIn())))
        }),
      ),
    )
    const seconds = (performance.now() - began) / 1_000
    const done = statuses.filter((status) => status === 200).length
    const busy = statuses.filter((status) => status === 429).length
    results.push({
      name: `${size} sign-ins at once`,
      value: round(done / seconds),
      unit: '/s',
      note: `${done} in, ${busy} told to wait (429), ${size - done - busy} failed; slowest ${round(Math.max(...times))} ms; others p99 ${round(others)} ms, ${round(quiet)} ms when quiet; server ${Math.round(server.rssMb())} MB`,
    })
  }

  const setup = await browser.post('/api/auth/setup-totp', { password: admin.password })
  expectStatus(setup, 200)
  const { secret } = setup.body as { secret: string } // as the contract has it
  const wrongs: number[] = []
  for (let i = 0; i < codes; i++) {
    // Wrong and too many: both look at the store, neither hashes a password.
    wrongs.push(await timed(() => browser.post('/api/auth/verify-totp', { code: codeAt(secret, new Date(0), i) })))
  }
  results.push({ name: 'a code of the second factor, p50', value: round(percentile(wrongs, 0.5)), unit: 'ms' })
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
  return results
}

function expectStatus({ status, body }: Answer, expected: number): void {
  if (status !== expected) throw new Error(`${status} ${JSON.stringify(body)}`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** p99 of somebody else's requests while the work is under way. */
async function beside(get: (path: string) => Promise<unknown>, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  const under = { way: true }
  const asking = (async () => {
    while (under.way) times.push(await timed(() => get('/api/auth/status')))
  })()
  await work()
  under.way = false
  await asking
  return percentile(times, 0.99)
}
