import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { ResourceSummary } from '../../../contract/connectors.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError, asEngineError, codeOf } from '../../engine/errors.ts'
import { runChecks } from '../checks.ts'
import { configOf } from '../config.ts'
import { mostResources, type ConnectorRunner } from '../connector.types.ts'
import { mysqlName, openMysql, withMysql, type MysqlSession } from './client.ts'
import { mysqlError, numberOf } from './errors.ts'
import { describeTable, displayName } from './catalog.ts'

export const mysqlConnector: ConnectorRunner = {
  type: 'mysql',
  async test(connector, io) {
    const { host, ssl = 'disable' } = configOf(connector, 'mysql')
    const attempt = signIn(connector, io.signal)
    // A server shuts out who connects again and again without signing in: one attempt, whose outcome tells how far it got.
    const stage =
      (reached: Stage): (() => Promise<void>) =>
      async () => {
        const { failed } = await attempt()
        if (failed && stages.indexOf(failed.stage) <= stages.indexOf(reached)) throw failed.error
      }
    const session = async (): Promise<MysqlSession | null> => (await attempt()).session
    try {
      return await runChecks([
        ...(host.startsWith('/') ? [] : [{ name: 'resolve', run: () => resolve(connector, host) }]),
        { name: 'connect', run: stage('connect') },
        ...(ssl === 'disable' ? [] : [{ name: 'tls', run: stage('tls') }]),
        { name: 'authenticate', run: stage('authenticate') },
        {
          name: 'read_probe',
          run: async () => (await session())?.rows('SELECT count(*) FROM information_schema.tables'),
        },
        { name: 'write_probe', run: async () => writeProbe(await session(), connector) },
      ])
    } finally {
      ;(await session())?.close()
    }
  },
  listResources: (connector, q, io) =>
    withMysql(connector, io.signal, async (session) => {
      const { database } = configOf(connector, 'mysql')
      const rows = await session.rows(
        `SELECT table_schema, table_name, table_type, table_rows, data_length + index_length
         FROM information_schema.tables
         WHERE table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
           AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW') AND locate(lower(?), lower(concat(table_schema, '.', table_name))) > 0
         ORDER BY table_schema <> ?, table_schema, table_name LIMIT ${mostResources + 1}`,
        [q ?? '', database],
      )
      const resources = rows.slice(0, mostResources).map(([schema, table, kind, estimate, bytes]): ResourceSummary => {
        const view = kind === 'VIEW'
        return {
          name: displayName(String(schema), String(table), database),
          kind: view ? 'view' : 'table',
          row_estimate: view || estimate === null ? null : Number(estimate),
          bytes: view || bytes === null ? null : Number(bytes),
        }
      })
      return { resources, truncated: rows.length > mostResources }
    }),
  getResource: (connector, wanted, io) =>
    withMysql(connector, io.signal, (session) => describeTable(session, wanted, connector)),
}

async function resolve(connector: BoundConnector, host: string): Promise<void> {
  if (isIP(host)) return
  await lookup(host).catch((error: unknown) => Promise.reject(mysqlError(error, connector)))
}

const stages = ['connect', 'tls', 'authenticate'] as const
type Stage = (typeof stages)[number]

interface SignIn {
  session: MysqlSession | null
  failed: { stage: Stage; error: EngineError } | null
}

/** Signs in when first asked for, once. */
function signIn(connector: BoundConnector, signal: AbortSignal): () => Promise<SignIn> {
  let outcome: Promise<SignIn> | null = null
  return () =>
    (outcome ??= openMysql(connector, signal).then(
      (session) => ({ session, failed: null }),
      (thrown: unknown) => {
        const error = asEngineError(thrown)
        return { session: null, failed: { stage: stageOf(error), error } }
      },
    ))
}

/** How far a sign-in got that failed. */
function stageOf({ cause }: EngineError): Stage {
  // What the server says in words, it says once TLS stands; but for being full, or shutting this machine out.
  const number = numberOf(cause)
  if (number !== null) return [1040, 1129, 1130].includes(number) ? 'connect' : 'authenticate'
  const code = codeOf(cause) ?? ''
  if (/^(HANDSHAKE_(NO_)?SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO)/.test(code)) return 'tls'
  return code === 'AUTH_SWITCH_PLUGIN_ERROR' ? 'authenticate' : 'connect'
}

/** In a table of the session's own: nobody else ever sees it. */
async function writeProbe(session: MysqlSession | null, connector: BoundConnector): Promise<{ remark: string } | void> {
  if (!session) return
  const probe = `${mysqlName(configOf(connector, 'mysql').database)}.headgate_probe`
  try {
    await session.run(`CREATE TEMPORARY TABLE ${probe} (id int)`)
    await session.run(`INSERT INTO ${probe} VALUES (1)`)
    await session.run(`DROP TEMPORARY TABLE ${probe}`)
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'DATABASE_REFUSED') throw error
    const [[all] = []] = await session.rows(
      `SELECT count(*) FROM (SELECT privilege_type FROM information_schema.schema_privileges WHERE privilege_type = 'INSERT'
       UNION ALL SELECT privilege_type FROM information_schema.table_privileges WHERE privilege_type = 'INSERT'
       UNION ALL SELECT privilege_type FROM information_schema.user_privileges WHERE privilege_type = 'INSERT') AS p`,
    )
    if (Number(all) === 0) throw error
    return {
      remark: 'The user may insert rows, but may not make temporary tables: whether it may write was not tried.',
    }
  }
}
