import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError, codeOf, messageOf, type EngineErrorCode } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { networkError } from '../network-errors.ts'
import { constraintHint } from '../../targets/refusal.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

interface Friendly {
  code: EngineErrorCode
  message: (detail: string, at: string, user: string) => Message
  hint: Message
}

const where = (detail: string, at: string): Message => runMessage('detail_at', { detail, place: at })

const refused: Friendly = {
  code: 'DATABASE_REFUSED',
  message: (detail, at, user) => runMessage('named_user_lacks_right', { user, detail, place: at }),
  hint: runMessage('grant_right'),
}
const signIn: Friendly = {
  code: 'AUTHENTICATION_FAILED',
  message: (detail, at, user) => runMessage('sign_in_refused_for', { user, detail, place: at }),
  hint: runMessage('enter_password_check_host'),
}
const busy: Friendly = {
  code: 'CONNECTION_FAILED',
  message: (detail, at) => runMessage('no_connection_free', { detail, place: at }),
  hint: runMessage('raise_max_connections'),
}
const locked: Friendly = {
  code: 'DATABASE_LOCKED',
  message: (detail, at) => runMessage('locked_by_session', { detail, place: at }),
  hint: runMessage('wait_for_session'),
}
const noTable: Friendly = {
  code: 'TABLE_NOT_FOUND',
  message: where,
  hint: runMessage('check_name_and_database'),
}
const noColumn: Friendly = { code: 'COLUMN_NOT_FOUND', message: where, hint: runMessage('check_column_name') }
const syntax: Friendly = {
  code: 'SQL_INVALID',
  message: (detail) => runMessage('sql_has_error', { detail }),
  hint: runMessage('mysql_dialect'),
}
const readOnly: Friendly = {
  code: 'SQL_NOT_ALLOWED',
  message: (detail) => runMessage('query_only_reads', { detail }),
  hint: runMessage('target_writes'),
}
const constraint: Friendly = { code: 'CONSTRAINT_VIOLATED', message: where, hint: constraintHint(false) }
const uniqueKey: Friendly = { ...constraint, hint: constraintHint(true) }
const value: Friendly = {
  code: 'VALUE_INVALID',
  message: where,
  hint: runMessage('cast_or_widen'),
}
const full: Friendly = {
  code: 'DISK_FULL',
  message: (detail, at) => runMessage('server_disk_full', { detail, place: at }),
  hint: runMessage('free_server_space'),
}
const gone: Friendly = {
  code: 'CONNECTION_FAILED',
  message: (detail, at) => runMessage('connection_broke', { detail, place: at }),
  hint: runMessage('check_log_and_network'),
}
const stopped: Friendly = {
  code: 'DATABASE_REFUSED',
  message: (detail, at) => runMessage('statement_stopped', { detail, place: at }),
  hint: runMessage('statement_stopped_fix'),
}

/** By the server's number: it says the same in MySQL and MariaDB. */
const byNumber: ReadonlyMap<number, Friendly> = new Map<number, Friendly>([
  ...many(signIn, [1045, 1251, 1524, 1698, 1820, 1862, 3118, 4151]),
  ...many(refused, [1095, 1130, 1142, 1143, 1227, 1290, 1370, 1410, 1836]),
  ...many(busy, [1040, 1203, 1226]),
  ...many(locked, [1099, 1205, 1213, 1412, 1615, 3572]),
  ...many(noTable, [1051, 1109, 1146, 1347]),
  ...many(noColumn, [1054, 1072]),
  ...many(syntax, [1064, 1065, 1066, 1111, 1140, 1149, 1222, 1248, 1305, 1582, 1583, 4078]),
  ...many(readOnly, [1792]),
  ...many(constraint, [1048, 1216, 1217, 1364, 1451, 1452, 1557, 1761, 1762, 3819, 4025]),
  ...many(uniqueKey, [1062, 1169, 1586]),
  ...many(value, [1264, 1265, 1292, 1365, 1366, 1367, 1406, 1411, 1426, 1427, 1441, 1525, 1690, 3140, 4079]),
  ...many(full, [1021, 1041, 1114]),
  ...many(gone, [1053, 1077, 1079, 1152, 1158, 1159, 1160, 1161, 1927, 2006, 2013]),
  ...many(stopped, [1317, 1969, 3024]),
  [
    1049,
    {
      code: 'CONNECTION_FAILED',
      message: (_, at) => runMessage('no_database_of_name', { place: at }),
      hint: runMessage('check_database_setting'),
    },
  ],
  [
    1044,
    {
      code: 'DATABASE_REFUSED',
      message: (detail, at, user) => runMessage('no_right_or_database', { user, detail, place: at }),
      hint: runMessage('check_database_and_rights'),
    },
  ],
  [
    1129,
    {
      code: 'CONNECTION_FAILED',
      message: (detail, at) => runMessage('host_blocked', { detail, place: at }),
      hint: runMessage('host_blocked_fix'),
    },
  ],
  [
    1153,
    {
      code: 'VALUE_INVALID',
      message: (detail, at) => runMessage('packet_too_large', { detail, place: at }),
      hint: runMessage('packet_too_large_fix'),
    },
  ],
  [
    1060,
    {
      code: 'COLUMN_DUPLICATE',
      message: (detail) => runMessage('two_columns_one_name', { detail }),
      hint: runMessage('two_columns_one_name_fix'),
    },
  ],
])

function many(friendly: Friendly, numbers: number[]): [number, Friendly][] {
  return numbers.map((number) => [number, friendly])
}

/** By the driver's or the system's code, where the server has not said a thing. */
const byCode: Record<string, Friendly> = {
  EPIPE: gone,
  PROTOCOL_CONNECTION_LOST: gone,
  PROTOCOL_ERROR: {
    code: 'CONNECTION_FAILED',
    message: (detail, at) => runMessage('not_mysql_protocol', { detail, place: at }),
    hint: runMessage('check_host_port'),
  },
  HANDSHAKE_NO_SSL_SUPPORT: {
    code: 'CONNECTION_FAILED',
    message: (_, at) => runMessage('server_without_tls', { place: at }),
    hint: runMessage('disable_tls'),
  },
  AUTH_SWITCH_PLUGIN_ERROR: signIn,
}

const certificate: Friendly = {
  code: 'CONNECTION_FAILED',
  message: (detail, at) => runMessage('certificate_refused', { detail, place: at }),
  hint: runMessage('install_authority'),
}

/** The driver's and the server's errors as ours: what, where, and what to do. */
export function mysqlError(thrown: unknown, connector: BoundConnector): EngineError {
  if (thrown instanceof EngineError) return thrown
  const { host, port, database, user } = configOf(connector, 'mysql')
  const at = `${host}:${port ?? 3306}/${database} (connector \`${connector.name}\`)`
  const unreached = networkError(thrown, { at, name: 'the server', host: '`host`', port: 'host and port' })
  if (unreached) return unreached
  const number = numberOf(thrown)
  const code = codeOf(thrown) ?? ''
  const message = messageOf(thrown)
  const friendly =
    byNumber.get(number ?? 0) ??
    byCode[code] ??
    (isCertificateError(thrown, code) ? certificate : undefined) ??
    byState(thrown)
  if (friendly)
    return new EngineError(friendly.code, friendly.message(message, at, user), { hint: friendly.hint, cause: thrown })
  return new EngineError('DATABASE_REFUSED', where(message, at), {
    hint: runMessage('see_server_log'),
    cause: thrown,
  })
}

/** The server's number of an error. */
export function numberOf(thrown: unknown): number | null {
  if (typeof thrown !== 'object' || thrown === null || !('errno' in thrown)) return null
  return typeof thrown.errno === 'number' && thrown.errno > 0 ? thrown.errno : null
}

function isCertificateError(thrown: unknown, code: string): boolean {
  if (/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO)/.test(code)) return true
  if (code !== 'HANDSHAKE_SSL_ERROR') return false
  return thrown instanceof Error
}

/** Classes of SQL's own codes, for numbers that are not in the table. */
function byState(thrown: unknown): Friendly | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('sqlState' in thrown)) return undefined
  const state = String(thrown.sqlState)
  if (state.startsWith('22')) return value
  if (state.startsWith('23')) return constraint
  if (state.startsWith('08')) return gone
  return state.startsWith('42') ? syntax : undefined
}
