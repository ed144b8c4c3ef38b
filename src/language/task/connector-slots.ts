import { suggest } from '../nearest.ts'
import { listOf, object, optional, withDefault } from '../shape/collections.ts'
import { record } from '../shape/record.ts'
import { choice, text } from '../shape/scalars.ts'
import { nameOf, reportType } from '../shape/report-value.ts'
import type { ReadContext, Shape } from '../shape/shape.types.ts'
import type { YamlNode } from '../yaml/yaml-tree.ts'
import type { ConnectorSlot } from './task.types.ts'

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
export const NAME_WANTED = 'letters, digits and `_`, a letter or `_` first, at most 63'

const typeShape = choice('Connector type that can be bound here.', connectorTypes)

interface TypedConnector {
  /** What it is called in messages. */
  noun: string
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
              ? `${nameOf(path)} has neither \`type\` nor \`types\`.`
              : `${nameOf(path)} has both \`type\` and \`types\`.`,
          hint: type === undefined ? 'Add e.g. `type: file`, or `types: [sqlite, postgres]`.' : 'Keep one of the two.',
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
  noun: 'a connector slot',
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
  user: string,
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
        return reportType(node, path, context, 'text: the name of a slot')
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
    message: `There is no connector slot \`${name.slice(0, 60)}\`.`,
    hint:
      names.length === 0
        ? `Add it under \`connectors:\`, e.g. \`${NAME.test(name) ? name : 'db'}: {type: sqlite}\`.`
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
  wanted: { types: readonly ConnectorType[]; access: 'read' | 'write' | 'any'; user: string },
): boolean {
  const unfit = slotFound.types.filter((type) => !wanted.types.some((fitting) => fitting === type))
  if (unfit.length > 0) {
    context.report({
      code: 'slot_type',
      message: `The slot \`${name}\` may be a ${unfit.join(' or ')} connector, which ${wanted.user} cannot use; it needs ${wanted.types.join(' or ')}.`,
      hint: `Use another slot, or give this one ${wanted.types.length === 1 ? `\`type: ${wanted.types[0]}\`` : `\`types: [${wanted.types.join(', ')}]\``}.`,
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
  user: string,
  path: string,
  context: ReadContext,
): boolean {
  const given = context.slots.get(name)?.access ?? access
  if (given === access || given === 'read_write') return true
  context.report({
    code: 'slot_access',
    message: `The slot \`${name}\` has \`access: ${given}\`, but ${user} ${access === 'write' ? 'writes to' : 'reads from'} it.`,
    hint: `Set \`access: ${access}\` on \`connectors.${name}\`, or \`read_write\` where the task does both.`,
    path,
    at: node.mark,
  })
  return false
}
