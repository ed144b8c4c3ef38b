import { suggest } from '../nearest.ts'
import { listOf, object, optional, withDefault } from '../shape/collections.ts'
import { record } from '../shape/record.ts'
import { choice, text } from '../shape/scalars.ts'
import { nameOf, reportType } from '../shape/report-value.ts'
import type { ReadContext, Shape } from '../shape/shape.types.ts'
import type { YamlNode } from '../yaml/yaml-tree.ts'
import type { ConnectorSlot } from './task.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/** Those that hold tables and speak SQL. */
export const sqlDatabases = ['sqlite', 'postgres', 'mysql', 'duckdb'] as const

/** Connector types and what they are. */
export const connectorTypes = {
  file: 'Files in a folder.',
  s3: 'Objects in an S3 bucket.',
  sftp: 'Files on an SFTP server.',
  sqlite: 'A SQLite database.',
  duckdb: 'A DuckDB database.',
  postgres: 'A PostgreSQL database.',
  mysql: 'A MySQL or MariaDB database.',
  mongodb: 'A MongoDB database.',
  http: 'An HTTP API.',
  odata: 'An OData service.',
} as const
export type ConnectorType = keyof typeof connectorTypes

export const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/
export const NAME_WANTED: Message = msg('name_wanted')

const typeShape = choice('Connector type that can be bound here.', connectorTypes)

interface TypedConnector {
  /** What it is called in messages. */
  noun: Message
  description: string
  /** What its `access` means, and which one it has by default; null: that depends. */
  access: { description: string; default: 'read' | null }
}

/** Which connectors may be bound, and for what: a slot of a task, a connector of a job template. */
export function typedConnector({ noun, description, access }: TypedConnector): Shape<ConnectorSlot> {
  const slotFields = object(
    {
      type: optional(typeShape),
      types: optional(
        listOf(typeShape, {
          description: 'Connector types that can be bound here.',
          min: 1,
          unique: true,
          examples: [['sqlite', 'postgres']],
        }),
      ),
      access: withDefault(
        choice(access.description, {
          read: 'Only reads.',
          write: 'Writes.',
          read_write: 'Reads and writes.',
        }),
        'read',
        access.default,
      ),
      description: optional(text({ description: 'What to bind here.', maxLength: 500 })),
    },
    {
      noun,
      description,
    },
  )

  return {
    schema: { ...slotFields.schema, examples: [{ type: 'postgres', access: 'write' }] },
    read(node, path, context) {
      const values = slotFields.read(node, path, context)
      if (!values) return undefined
      const { type, types } = values
      if ((type === undefined) === (types === undefined)) {
        context.report({
          code: type === undefined ? 'missing_choice' : 'several_choices',
          message:
            type === undefined
              ? msg('type_missing', { name: nameOf(path) })
              : msg('type_and_types', { name: nameOf(path) }),
          hint: type === undefined ? msg('add_type') : msg('keep_one'),
          path,
          at: node.mark,
        })
        return undefined
      }
      return {
        types: types ?? (type === undefined ? [] : [type]),
        access: values.access,
        ...(values.description === undefined ? {} : { description: values.description }),
      }
    },
  }
}

const connectorSlot = typedConnector({
  noun: msg('a_connector_slot'),
  description: 'A typed slot. A connector is bound to it when a run or job is created.',
  access: { description: 'How the task accesses it.', default: 'read' },
})

export const connectorSlots = record(connectorSlot, {
  description:
    'Typed connector slots by name. Sources and targets refer to a slot; a connector is bound to it when a run or job is created.',
  examples: [{ files: { type: 'file', access: 'read' }, db: { types: ['sqlite', 'postgres'], access: 'write' } }],
  max: 50,
  key: { pattern: NAME, wanted: NAME_WANTED },
})

/** A reference to a slot, which must be of one of `types` and allow `access`. `user` reads like "source `files`". */
export function slotReference(
  types: readonly ConnectorType[],
  access: 'read' | 'write' | 'any',
  user: Message,
): Shape<string> {
  return {
    schema: {
      type: 'string',
      description: `Name of a slot of \`connectors\`, of type ${types.map((type) => `\`${type}\``).join(' or ')}.`,
      'x-complete': 'slot',
      'x-slot-types': [...types],
    },
    read(node, path, context) {
      if (node.kind !== 'scalar' || typeof node.value !== 'string')
        return reportType(node, path, context, msg('text_slot_name'))
      const name = node.value
      const found = context.slots.get(name)
      if (found === undefined) return reportUnknown(node, name, path, context)
      context.used.slots.add(name)
      if (found === null) return undefined
      return checkSlot(node, name, found, path, context, { types, access, user }) ? name : undefined
    },
  }
}

function reportUnknown(node: YamlNode, name: string, path: string, context: ReadContext): undefined {
  const names = [...context.slots.keys()]
  context.report({
    code: 'unknown_slot',
    message: msg('no_slot', { name: name.slice(0, 60) }),
    hint:
      names.length === 0
        ? NAME.test(name)
          ? msg('declare_slot', { name })
          : msg('declare_slot_db')
        : suggest(name, names, 'slots'),
    path,
    at: node.mark,
  })
  return undefined
}

function checkSlot(
  node: YamlNode,
  name: string,
  slotFound: ConnectorSlot,
  path: string,
  context: ReadContext,
  wanted: { types: readonly ConnectorType[]; access: 'read' | 'write' | 'any'; user: Message },
): boolean {
  const unfit = slotFound.types.filter((type) => !wanted.types.some((fitting) => fitting === type))
  if (unfit.length > 0) {
    context.report({
      code: 'slot_type',
      message: msg('slot_type_unfit', { slot: name, allowed: unfit, user: wanted.user, types: wanted.types }),
      hint:
        wanted.types.length === 1
          ? msg('use_other_slot_or_type', { type: wanted.types[0] ?? '' })
          : msg('use_other_slot_or_types', { types: wanted.types }),
      path,
      at: node.mark,
    })
    return false
  }
  return wanted.access === 'any' || expectAccess(node, name, wanted.access, wanted.user, path, context)
}

/** Reports a slot that does not allow what is done with it. */
export function expectAccess(
  node: YamlNode,
  name: string,
  access: 'read' | 'write',
  user: Message,
  path: string,
  context: ReadContext,
): boolean {
  const given = context.slots.get(name)?.access ?? access
  if (given === access || given === 'read_write') return true
  context.report({
    code: 'slot_access',
    message:
      access === 'write'
        ? msg('slot_not_writable', { slot: name, given, user })
        : msg('slot_not_readable', { slot: name, given, user }),
    hint: msg('set_slot_access', { access, slot: name }),
    path,
    at: node.mark,
  })
  return false
}
