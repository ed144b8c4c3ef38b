// kill -9 while the key to the secrets is replaced again and again: afterwards every secret can be read, and the next start
// has one key. HEADGATE_FAULT_ROUNDS sets the number of deaths (4 unless told).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { seed } from './support/fault-seed.ts'
import { randomFrom } from './support/job-plans.ts'
import { type Client, connect, makeApiKey, startServerProcess } from './support/server-process.ts'

const rounds = Number(process.env.HEADGATE_FAULT_ROUNDS ?? 4)
const connectors = 120

/** Opens the store in this process: what it finds, and how many keys it leaves. */
async function look(dataDir: string) {
  const server = await startTestServer({ dataDir })
  const wrong = Array.from({ length: connectors }, (_, at) => at + 1).filter((id) => {
    const { db } = server.services.connectors.bind({ db: id }, { db: { types: ['postgres'], access: 'read' } })
    return db?.secrets['password'] !== `secret ${id}`
  })
  const { lost } = server.services.secrets.state()
  await server.close()
  return { wrong, lost, keys: readFileSync(join(dataDir, 'secret.key'), 'utf8').trim().split('\n').length }
}

async function replaceUntilDead(client: Client): Promise<void> {
  for (;;) {
    try {
      await client.send('POST', '/api/server/rotate-key')
    } catch {
      // The connection broke: it was killed.
      return
    }
  }
}

test(
  `${rounds} deaths while the key is replaced leave every secret readable`,
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'headgate-rotation-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const made = await startTestServer({ dataDir })
    const config = { host: '127.0.0.1', port: 9, database: 'sales', user: 'etl' }
    made.platform.store.transaction(() => {
      for (let id = 1; id <= connectors; id++) {
        made.services.connectors.create({
          name: `c${id}`,
          type: 'postgres',
          config,
          secrets: { password: `secret ${id}` },
        })
      }
    })
    await made.close()
    let apiKey: string | undefined
    const random = randomFrom(seed)
    for (let round = 0; round < rounds; round++) {
      const server = await startServerProcess(dataDir)
      onTestFinished(() => server.kill())
      apiKey ??= await makeApiKey(server.url)
      const client = connect(server.url, { authorization: `Bearer ${apiKey}` })
      const replacing = replaceUntilDead(client)
      await delay(20 + random.below(150))
      await server.kill()
      await replacing
      client.close()
      expect(await look(dataDir)).toEqual({ wrong: [], lost: [], keys: 1 })
    }
  },
  60_000 + rounds * 60_000,
)
