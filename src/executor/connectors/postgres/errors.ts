import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError, codeOf, messageOf, type EngineErrorCode } from '../../engine/errors.ts'
import { constraintHint } from '../../targets/refusal.ts'
import { configOf } from '../config.ts'
import { networkError } from '../network-errors.ts'

interface Friendly {
  code: EngineErrorCode
  message: (detail: string, connector: BoundConnector) => string
  hint: string
}

const at = (connector: BoundConnector): string => {
  const { host, port, database } = configOf(connector, 'postgres')
  return `${host}:${port ?? 5432}/${database} (connector \`${connector.name}\`)`
}

const friendly: Record<string, Friendly> = {
  '28P01': {
    code: 'AUTHENTICATION_FAILED',
    message: (_, c) => `The password was refused for user ${String(c.config['user'])} at ${at(c)}`,
    hint: 'Enter the password again in the connector’s settings.',
  },
  '28000': {
    code: 'AUTHENTICATION_FAILED',
    message: (detail, c) => `The server refused the sign-in (${detail}): ${at(c)}`,
    hint: 'Check user, database and TLS in the connector’s settings, and pg_hba.conf at the server.',
  },
  '3D000': {
    code: 'CONNECTION_FAILED',
    message: (_, c) => `There is no database of that name: ${at(c)}`,
    hint: 'Check `database` in the connector’s settings.',
  },
  '53300': {
    code: 'CONNECTION_FAILED',
    message: (_, c) => `The server has no connection free: ${at(c)}`,
    hint: 'Raise max_connections or run fewer tasks at once.',
  },
  '57P03': {
    code: 'CONNECTION_FAILED',
    message: (detail, c) => `The server is starting or stopping (${detail}): ${at(c)}`,
    hint: 'Try again in a moment.',
  },
  '57014': {
    code: 'DATABASE_REFUSED',
    message: (detail) => `The statement was cancelled: ${detail}`,
    hint: 'A statement timeout of the server may be too short.',
  },
  '55P03': {
    code: 'DATABASE_LOCKED',
    message: (detail, c) => `A table is locked by another session (${detail}): ${at(c)}`,
    hint: 'Let that session finish, then run again.',
  },
  '40P01': {
    code: 'DATABASE_LOCKED',
    message: (detail) => `Another session and this one waited for each other: ${detail}`,
    hint: 'Run it again.',
  },
  '42P01': {
    code: 'TABLE_NOT_FOUND',
    message: (detail, c) => `${detail}: ${at(c)}`,
    hint: 'Check the name and the schema; the connector’s page lists the tables.',
  },
  '3F000': {
    code: 'TABLE_NOT_FOUND',
    message: (detail, c) => `${detail}: ${at(c)}`,
    hint: 'Check `schema` in the connector’s settings.',
  },
  '42703': {
    code: 'COLUMN_NOT_FOUND',
    message: (detail, c) => `${detail}: ${at(c)}`,
    hint: 'Check the name; names with capitals need double quotes.',
  },
  '42501': {
    code: 'DATABASE_REFUSED',
    message: (detail, c) => `The user ${String(c.config['user'])} may not do this (${detail}): ${at(c)}`,
    hint: 'Grant the right, or use another user.',
  },
  '42601': {
    code: 'SQL_INVALID',
    message: (detail) => `The SQL has a mistake: ${detail}`,
    hint: 'The query is in PostgreSQL’s dialect.',
  },
  '2BP01': {
    code: 'DATABASE_REFUSED',
    message: (detail, c) => `${detail}: ${at(c)}`,
    hint: 'Views or keys depend on the table: drop them first, or fill the table with `statements` instead.',
  },
  '25006': {
    code: 'SQL_NOT_ALLOWED',
    message: (detail) => `A source’s query may only read: ${detail}`,
    hint: 'Writing is the target’s part.',
  },
  '53100': {
    code: 'DISK_FULL',
    message: (detail) => `The server’s disk is full: ${detail}`,
    hint: 'Free some space at the server.',
  },
  '22021': {
    code: 'VALUE_INVALID',
    message: (detail) => `The server cannot keep a text: ${detail}`,
    hint: "PostgreSQL knows no NUL character: remove it with a `derive` step, replace(text, chr(0), '').",
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
  const make = (own: EngineErrorCode, words: string, hint: string): EngineError =>
    new EngineError(own, words, { hint, cause: thrown })
  if (/does not support SSL/i.test(message)) {
    return make(
      'CONNECTION_FAILED',
      `The server offers no TLS: ${at(connector)}`,
      'Set TLS to `disable` in the connector’s settings, or turn TLS on at the server.',
    )
  }
  if (/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(code)) {
    return make(
      'CONNECTION_FAILED',
      `The server’s certificate was not accepted (${message}): ${at(connector)}`,
      'Install its authority on the executor’s machine, or set TLS to `require` to go without the check.',
    )
  }
  if (lost.test(code)) {
    return make(
      'CONNECTION_FAILED',
      `The connection was broken off (${message}): ${at(connector)}`,
      'Check the server’s log: it may have been restarted, or someone ended the session.',
    )
  }
  if (/timeout expired|Connection terminated|is not queryable/i.test(message)) {
    return make(
      'CONNECTION_FAILED',
      `The server did not answer in time, or broke off: ${at(connector)}`,
      'Check host, port, firewalls and the server’s log.',
    )
  }
  if (/password must be a string|SASL/i.test(message)) {
    return make(
      'AUTHENTICATION_FAILED',
      `The server wants a password: ${at(connector)}`,
      'Enter it in the connector’s settings.',
    )
  }
  if (code.startsWith('23')) {
    const detail = detailOf(thrown)
    return make(
      'CONSTRAINT_VIOLATED',
      `${message}${detail === '' ? '' : ` (${detail})`}: ${at(connector)}`,
      constraintHint(code === '23505'),
    )
  }
  if (code.startsWith('22'))
    return make('VALUE_INVALID', `${message}: ${at(connector)}`, 'Add a `cast` step, or widen the column of the table.')
  if (code.startsWith('42'))
    return make(
      'SQL_INVALID',
      `${message}: ${at(connector)}`,
      'The query is in PostgreSQL’s dialect; check names and types.',
    )
  return make('DATABASE_REFUSED', `${message}: ${at(connector)}`, 'The server says why; its log says more.')
}

function detailOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return ''
  const parts = ['detail', 'where'].map((key) => (thrown as Record<string, unknown>)[key]) // fields of the server's message
  // COPY counts lines, where we name the row.
  const words = parts.map((part) => (typeof part === 'string' ? part.replace(/^COPY .*, line \d[^]*/m, '').trim() : ''))
  return words.filter((part) => part !== '').join('; ')
}
