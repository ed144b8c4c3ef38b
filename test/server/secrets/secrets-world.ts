import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Connector, createConnector } from '../../../src/contract/connectors.ts'
import { getSecretsState, rotateSecretsKey } from '../../../src/contract/server-config.ts'
import { type TestServer, type TestServerOptions, startTestServer } from '../../support/server.ts'

/** A data folder that servers are started on one after the other. */
export function secretsFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-secrets-'))
  let server: TestServer | undefined
  const stop = async () => {
    await server?.close()
    server = undefined
  }
  onTestFinished(async () => {
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return {
    dataDir,
    keyFile: join(dataDir, 'secret.key'),
    stop,
    async start(options: TestServerOptions = {}) {
      await stop()
      server = await startTestServer({ ...options, dataDir })
      return worldOf(server)
    },
  }
}
export type SecretsWorld = Awaited<ReturnType<ReturnType<typeof secretsFolder>['start']>>

let made = 0
function worldOf(server: TestServer) {
  made += 1
  // Users of an earlier start are still there; each start takes its own.
  const user = server.services.users.create({ username: `root-${made}`, role: 'superadmin', passwordHash: null })
  const maker = { kind: 'session', user_id: user.id, username: user.username, role: user.role, pending: false } as const
  const { key } = server.services.apiKeys.create({ name: 'secrets' }, { ...maker, scopes: [] })
  const root = server.client.with({ authorization: `Bearer ${key}` })
  const db = server.platform.store.sqlite
  return {
    server,
    root,
    state: () => root.call(getSecretsState),
    rotate: () => root.call(rotateSecretsKey),
    connector: (name: string, secrets: Record<string, string>): Promise<Connector> =>
      root.call(createConnector, {
        body: {
          name,
          type: 'postgres',
          config: { host: '127.0.0.1', port: 9, database: 'sales', user: 'etl' },
          secrets,
        },
      }),
    /** As it stands in the store. */
    sealedOf: (name: string) =>
      db.prepare<[string], { s: string | null }>('SELECT sealed_secrets AS s FROM connectors WHERE name = ?').get(name)
        ?.s,
    /** What an executor would be given. */
    secretsOf: (id: number) =>
      server.services.connectors.bind({ db: id }, { db: { types: ['postgres'], access: 'read' } }).db!.secrets,
  }
}
