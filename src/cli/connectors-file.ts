import { dirname, resolve } from 'node:path'
import { localPathFields, shapeMistakes } from '../contract/connector-shape.ts'
import { connectorTypes, type ConnectorType } from '../contract/connector-types.ts'
import type { BoundConnector } from '../contract/executor-protocol.ts'
import { collectDiagnostics, type Report } from '../language/diagnostic-collector.ts'
import type { Diagnostic } from '../language/diagnostics.ts'
import { type Message, messagesOf } from '../language/message.ts'
import { suggest } from '../language/nearest.ts'
import type { ConnectorSlot } from '../language/task/task.types.ts'
import { readYaml } from '../language/yaml/read-yaml.ts'
import { describeNode, entryOf, joinPath, type YamlMap, type YamlNode } from '../language/yaml/yaml-tree.ts'

const msg = messagesOf({
  the_file: 'The file',
  entry: '`<path>`',
  map: 'a map',
  map_of_connectors: 'a map: slot → connector',
  map_of_parts: 'a map with `type`, `config` and `secrets`',
  map_of_secrets: 'a map: secret → {env: NAME}',
  wrong_type: '<subject> must be <wanted>, not <found>.',
  see_help: 'See headgate run --help for an example.',
  add_connector: 'Add a connector for a slot: `db: {type: sqlite, …}`.',
  key_unknown: '`<key>` is not a key of a connector.',
  type_required: '`type` is required.',
  add_type: 'Add, for example, `type: <type>`.',
  type_unknown: 'Unknown connector type `<type>`.',
  slot_accepts: 'The task’s slot accepts <types:or>, not <type>.',
  use_another_connector: 'Use another connector, or add this type to the task’s slot.',
  field_problem: '`<field>` of a <type> connector <problem>.',
  secret_not_variable: 'The secret `<key>` must be the name of an environment variable.',
  write_variable: 'Write `<key>: {env: <variable>}` and set that variable.',
  variable_not_set: 'The environment variable `<variable>` is not set.',
  set_variable: 'Set it before you run the command.',
})

/** What a task's slots are bound to, as far as it could be read, and what is wrong in the file. */
export interface ReadConnectors {
  connectors: Record<string, BoundConnector>
  diagnostics: Diagnostic[]
}

const addConnector = msg('add_connector')
const fields = ['type', 'config', 'secrets']

/**
 * Reads a connectors file. Every entry is checked against its connector type; secrets are taken from the environment, of the slots
 * that the task has alone.
 */
export function readConnectors(
  text: string,
  file: string,
  slots: Record<string, ConnectorSlot>,
  env: Record<string, string | undefined>,
): ReadConnectors {
  const collector = collectDiagnostics(text)
  const { root, wellFormed } = readYaml(text, collector.report)
  const connectors: Record<string, BoundConnector> = {}
  if (root && wellFormed) {
    if (root.kind !== 'map') wrongType(root, '', msg('map_of_connectors'), collector.report)
    else {
      for (const [index, { key, value }] of root.entries.entries()) {
        const reader = { report: collector.report, folder: dirname(resolve(file)), slot: slots[key], env }
        const connector = readConnector(value, key, index + 1, reader)
        if (connector) connectors[key] = connector
      }
    }
  }
  const diagnostics = collector
    .list()
    .map((found) =>
      found.code === 'document_empty'
        ? { ...found, params: { ...found.params, fix: addConnector }, hint: addConnector.message }
        : found,
    )
  return { connectors, diagnostics }
}

interface Reader {
  report: Report
  /** Paths are written from here. */
  folder: string
  /** As the task declares it; undefined: the task has none of that name. */
  slot: ConnectorSlot | undefined
  env: Record<string, string | undefined>
}

function readConnector(node: YamlNode, name: string, id: number, reader: Reader): BoundConnector | null {
  const path = joinPath('', name)
  if (node.kind !== 'map') return wrongType(node, path, msg('map_of_parts'), reader.report)
  for (const { key, keySpan } of node.entries) {
    if (fields.includes(key)) continue
    reader.report({
      code: 'unknown_key',
      message: msg('key_unknown', { key }),
      hint: suggest(key, fields, 'keys'),
      path: joinPath(path, key),
      at: keySpan,
    })
  }
  const type = readType(node, path, reader)
  if (type === null) return null
  const config = readPart(node, 'config', type, path, reader)
  const secrets = readSecrets(node, type, path, reader)
  return config && secrets ? { id, name, type, config, secrets } : null
}

function readType(node: YamlMap, path: string, { report, slot }: Reader): ConnectorType | null {
  const written = entryOf(node, 'type')?.value
  const value = written?.kind === 'scalar' ? written.value : null
  const type = connectorTypes.find((known) => known === value)
  const at = written?.mark ?? node.mark
  if (!written) {
    report({
      code: 'missing_field',
      message: msg('type_required'),
      hint: msg('add_type', { type: slot?.types[0] ?? 'sqlite' }),
      path,
      at,
    })
    return null
  }
  if (type === undefined) {
    report({
      code: 'not_one_of',
      message: msg('type_unknown', { type: String(value).slice(0, 60) }),
      hint: suggest(String(value), connectorTypes, 'types'),
      path: `${path}.type`,
      at,
    })
    return null
  }
  if (slot && !slot.types.includes(type)) {
    report({
      code: 'slot_type',
      message: msg('slot_accepts', { types: slot.types, type }),
      hint: msg('use_another_connector'),
      path: `${path}.type`,
      at,
    })
    return null
  }
  return type
}

/** `config` as its type wants it, with paths made absolute. */
function readPart(
  node: YamlMap,
  key: 'config',
  type: ConnectorType,
  path: string,
  reader: Reader,
): Record<string, unknown> | null {
  const entry = entryOf(node, key)?.value
  if (entry && entry.kind !== 'map') return wrongType(entry, `${path}.${key}`, msg('map'), reader.report)
  const value = entry ? (plain(entry) as Record<string, unknown>) : {} // a map stays one
  for (const field of localPathFields(type)) {
    const given = value[field]
    if (typeof given === 'string' && given !== '') value[field] = resolve(reader.folder, given)
  }
  return reportMistakes(type, key, value, entry ?? node, path, reader) ? value : null
}

function reportMistakes(
  type: ConnectorType,
  part: 'config' | 'secrets',
  value: Record<string, unknown>,
  node: YamlMap,
  path: string,
  { report }: Reader,
): boolean {
  const mistakes = shapeMistakes(type, part, value)
  for (const { path: where, ...problem } of mistakes) {
    const inside = where.replace(`body.${part}`, '')
    const field = inside.split('.')[1] ?? ''
    const entry = entryOf(node, field)
    const missing = problem.code === 'field_missing'
    const unknown = problem.code.startsWith('field_unknown')
    report({
      code: missing ? 'missing_field' : unknown ? 'unknown_key' : 'invalid_value',
      message: msg('field_problem', { field: inside.slice(1) || part, type, problem }),
      path: `${path}.${part}${inside}`,
      at: entry ? (missing || unknown ? entry.keySpan : entry.value.mark) : node.mark,
    })
  }
  return mistakes.length === 0
}

/** `password: {env: NAME}`: never the secret itself, for files are copied and kept. */
function readSecrets(node: YamlMap, type: ConnectorType, path: string, reader: Reader): Record<string, string> | null {
  const entry = entryOf(node, 'secrets')?.value
  if (!entry) return reportMistakes(type, 'secrets', {}, node, path, reader) ? {} : null
  const at = `${path}.secrets`
  if (entry.kind !== 'map') return wrongType(entry, at, msg('map_of_secrets'), reader.report)
  const secrets: Record<string, string> = {}
  let complete = true
  for (const { key, value } of entry.entries) {
    const variable = variableOf(value)
    if (variable === null) {
      complete = false
      reader.report({
        code: 'invalid_value',
        message: msg('secret_not_variable', { key }),
        hint: msg('write_variable', { key, variable: key.toUpperCase() }),
        path: joinPath(at, key),
        at: value.mark,
      })
      continue
    }
    const found = reader.env[variable]
    if (found !== undefined) secrets[key] = found
    else if (reader.slot) {
      complete = false
      reader.report({
        code: 'invalid_value',
        message: msg('variable_not_set', { variable }),
        hint: msg('set_variable'),
        path: joinPath(at, key),
        at: value.mark,
      })
    } else secrets[key] = ''
  }
  return reportMistakes(type, 'secrets', secrets, entry, path, reader) && complete ? secrets : null
}

function variableOf(node: YamlNode): string | null {
  if (node.kind !== 'map' || node.entries.length !== 1) return null
  const env = entryOf(node, 'env')?.value
  return env?.kind === 'scalar' && typeof env.value === 'string' && env.value !== '' ? env.value : null
}

function wrongType(node: YamlNode, path: string, wanted: Message, report: Report): null {
  report({
    code: 'wrong_type',
    message: msg('wrong_type', {
      subject: path === '' ? msg('the_file') : msg('entry', { path }),
      wanted,
      found: describeNode(node),
    }),
    hint: msg('see_help'),
    path,
    at: node.mark,
  })
  return null
}

function plain(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plain)
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]))
}
