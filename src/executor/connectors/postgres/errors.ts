import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError, codeOf, messageOf, type EngineErrorCode } from '../../engine/errors.ts'
import { constraintHint } from '../../targets/refusal.ts'
import { configOf } from '../config.ts'
import { networkError } from '../network-errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

interface Friendly {
  code: EngineErrorCode
  message: (detail: string, connector: BoundConnector) => Message
  hint: Message
}

const at = (connector: BoundConnector): string => {
  const { host, port, database } = configOf(connector, 'postgres')
  return `${host}:${port ?? 5432}/${database} (connector \`${connector.name}\`)`
}

const friendly: Record<string, Friendly> = {
  '28P01': {
    code: 'AUTHENTICATION_FAILED',
    message: (_, c) => runMessage('password_refused_for', { user: String(c.config['user']), place: at(c) }),
    hint: runMessage('enter_password_again'),
  },
  '28000': {
    code: 'AUTHENTICATION_FAILED',
    message: (detail, c) => runMessage('sign_in_refused', { detail, place: at(c) }),
    hint: runMessage('check_hba'),
  },
  '3D000': {
    code: 'CONNECTION_FAILED',
    message: (_, c) => runMessage('no_database_of_name', { place: at(c) }),
    hint: runMessage('check_database_setting'),
  },
  '53300': {
    code: 'CONNECTION_FAILED',
    message: (_, c) => runMessage('server_has_no_connection_free', { place: at(c) }),
    hint: runMessage('raise_max_connections'),
  },
  '57P03': {
    code: 'CONNECTION_FAILED',
    message: (detail, c) => runMessage('server_starting', { detail, place: at(c) }),
    hint: runMessage('try_in_a_moment'),
  },
  '57014': {
    code: 'DATABASE_REFUSED',
    message: (detail) => runMessage('statement_cancelled', { detail }),
    hint: runMessage('statement_cancelled_fix'),
  },
  '55P03': {
    code: 'DATABASE_LOCKED',
    message: (detail, c) => runMessage('table_locked', { detail, place: at(c) }),
    hint: runMessage('wait_for_session'),
  },
  '40P01': {
    code: 'DATABASE_LOCKED',
    message: (detail) => runMessage('deadlock', { detail }),
    hint: runMessage('run_again'),
  },
  '42P01': {
    code: 'TABLE_NOT_FOUND',
    message: (detail, c) => runMessage('detail_at', { detail, place: at(c) }),
    hint: runMessage('check_name_and_schema'),
  },
  '3F000': {
    code: 'TABLE_NOT_FOUND',
    message: (detail, c) => runMessage('detail_at', { detail, place: at(c) }),
    hint: runMessage('schema_unknown_fix'),
  },
  '42703': {
    code: 'COLUMN_NOT_FOUND',
    message: (detail, c) => runMessage('detail_at', { detail, place: at(c) }),
    hint: runMessage('quote_capitals'),
  },
  '42501': {
    code: 'DATABASE_REFUSED',
    message: (detail, c) =>
      runMessage('named_user_lacks_right', { user: String(c.config['user']), detail, place: at(c) }),
    hint: runMessage('grant_right'),
  },
  '42601': {
    code: 'SQL_INVALID',
    message: (detail) => runMessage('sql_has_error', { detail }),
    hint: runMessage('postgres_dialect'),
  },
  '2BP01': {
    code: 'DATABASE_REFUSED',
    message: (detail, c) => runMessage('detail_at', { detail, place: at(c) }),
    hint: runMessage('dependents_exist'),
  },
  '25006': {
    code: 'SQL_NOT_ALLOWED',
    message: (detail) => runMessage('query_only_reads', { detail }),
    hint: runMessage('target_writes'),
  },
  '53100': {
    code: 'DISK_FULL',
    message: (detail) => runMessage('server_disk_is_full', { detail }),
    hint: runMessage('free_server_space'),
  },
  '22021': {
    code: 'VALUE_INVALID',
    message: (detail) => runMessage('text_not_kept', { detail }),
    hint: runMessage('text_not_kept_fix'),
  },
}

/** Classes and codes with which the server ends a connection: it shuts down, has crashed, or someone ended the session. */
const lost = /^(08...|57P0[125]|25P03)$/

/** The driver's and the server's errors as ours: what, where, and what to do. */
export function postgresError(thrown: unknown, connector: BoundConnector): EngineError {
  if (thrown instanceof EngineError) return thrown
  const unreached = networkError(thrown, {
    at: at(connector),
    name: 'PostgreSQL',
    host: '`host`',
    port: 'host and port',
  })
  if (unreached) return unreached
  const code = codeOf(thrown) ?? ''
  const message = messageOf(thrown)
  const known = friendly[code]
  if (known) return new EngineError(known.code, known.message(message, connector), { hint: known.hint, cause: thrown })
  const make = (own: EngineErrorCode, words: Message, hint: Message): EngineError =>
    new EngineError(own, words, { hint, cause: thrown })
  if (/does not support SSL/i.test(message)) {
    return make(
      'CONNECTION_FAILED',
      runMessage('server_without_tls', { place: at(connector) }),
      runMessage('disable_tls'),
    )
  }
  if (/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(code)) {
    return make(
      'CONNECTION_FAILED',
      runMessage('certificate_refused', { detail: message, place: at(connector) }),
      runMessage('install_authority'),
    )
  }
  if (lost.test(code)) {
    return make(
      'CONNECTION_FAILED',
      runMessage('connection_broke', { detail: message, place: at(connector) }),
      runMessage('check_log_restarted'),
    )
  }
  if (/timeout expired|Connection terminated|is not queryable/i.test(message)) {
    return make(
      'CONNECTION_FAILED',
      runMessage('no_answer_or_broken_at', { place: at(connector) }),
      runMessage('check_host_and_log'),
    )
  }
  if (/password must be a string|SASL/i.test(message)) {
    return make(
      'AUTHENTICATION_FAILED',
      runMessage('server_wants_password', { place: at(connector) }),
      runMessage('enter_password'),
    )
  }
  if (code.startsWith('23')) {
    const detail = detailOf(thrown)
    return make(
      'CONSTRAINT_VIOLATED',
      runMessage('detail_at', { detail: detail === '' ? message : `${message} (${detail})`, place: at(connector) }),
      constraintHint(code === '23505'),
    )
  }
  if (code.startsWith('22'))
    return make(
      'VALUE_INVALID',
      runMessage('detail_at', { detail: message, place: at(connector) }),
      runMessage('cast_or_widen'),
    )
  if (code.startsWith('42'))
    return make(
      'SQL_INVALID',
      runMessage('detail_at', { detail: message, place: at(connector) }),
      runMessage('postgres_dialect_names'),
    )
  return make(
    'DATABASE_REFUSED',
    runMessage('detail_at', { detail: message, place: at(connector) }),
    runMessage('see_server_log'),
  )
}

function detailOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return ''
  const parts = ['detail', 'where'].map((key) => (thrown as Record<string, unknown>)[key]) // fields of the server's message
  // COPY counts lines, where we name the row.
  const words = parts.map((part) => (typeof part === 'string' ? part.replace(/^COPY .*, line \d[^]*/m, '').trim() : ''))
  return words.filter((part) => part !== '').join('; ')
}
