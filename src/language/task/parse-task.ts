import type { ScopeDescription } from '../expressions/references.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { readDocument, reportUnused } from '../read-document.ts'
import type { ReadContext, SqlPart } from '../shape/shape.types.ts'
import { reportType } from '../shape/report-value.ts'
import { readMistyped } from '../shape/mistyped-keys.ts'
import { entryOf, type YamlMap, type YamlNode } from '../yaml/yaml-tree.ts'
import { argumentSpecs } from './arguments.ts'
import { kind as kindShape } from './common-fields.ts'
import { connectorSlots } from './connector-slots.ts'
import { kindDefinition, kindDefinitions } from './kinds/kind-registry.ts'
import { outputScope, taskScope } from './task-scope.ts'
import type { TaskDocument } from './kinds/task-document.types.ts'
import type { ArgumentSpec, ConnectorSlot } from './task.types.ts'
import { msg } from '../messages.ts'

export interface ParsedTask {
  /** null when any diagnostic is an error. */
  task: TaskDocument | null
  /** As far as it could be read, also of a document with errors. */
  kind: TaskDocument['kind'] | null
  /** In order of appearance. */
  diagnostics: Diagnostic[]
  /** Slots by name: those that could be read, also of a document with errors. */
  connector_refs: Record<string, ConnectorSlot>
  /** Arguments by name: likewise. */
  arguments: Record<string, ArgumentSpec>
}

/** Reads, checks and normalises a task. Whatever the text: never throws. `sqlParts` takes the SQL that DuckDB is to run. */
export function parseTask(text: string, sqlParts?: SqlPart[]): ParsedTask {
  const { read, diagnostics, complete } = readDocument(text, nothing, (written, empty) =>
    readRoot(written, {
      ...empty,
      elsewhere: { state: msg('state_only_in_source') },
      ...(sqlParts ? { sqlParts } : {}),
    }),
  )
  return { ...read, task: complete ? read.task : null, diagnostics }
}

type Read = Omit<ParsedTask, 'diagnostics'>
type Declared = Omit<Read, 'task'>
const nothing: Read = { task: null, kind: null, connector_refs: {}, arguments: {} }

/** Keys whose values other parts of the document refer to. */
const keysOfKinds = kindDefinitions.flatMap(({ shape }) => Object.keys(shape.schema.properties ?? {}))
const declaring = ['kind', 'connectors', 'args', 'state', 'inputs']

function readRoot(written: YamlNode, empty: ReadContext): Read {
  if (written.kind !== 'map') {
    reportType(written, '', empty, msg('a_map'), msg('start_with_pipeline'))
    return nothing
  }
  const named = readMistyped(written, keysOfKinds, declaring)
  const declared = readDeclarations(named, empty)
  const kindNode = entryOf(named, 'kind')?.value
  // What else belongs into the document depends on its kind: with an unknown one only the kind itself is reported.
  const kind = kindNode ? kindShape.read(kindNode, 'kind', empty) : kindByKeys(named)
  if (kind === undefined) return { ...declared, task: null }
  const definition = kindDefinition(kind)
  const root = readMistyped(named, Object.keys(definition.shape.schema.properties ?? {}))
  const context = withNames(root, empty, declared, definition.results)
  const task = definition.read(root, context)
  if (task) warnUnused(root, context)
  return { ...declared, kind: kindNode ? kind : null, task }
}

/** Without `kind` the key that only one kind has tells what is meant. */
function kindByKeys(root: YamlMap): TaskDocument['kind'] {
  const ownKind = kindDefinitions.find(({ kind }) => kind !== 'pipeline' && entryOf(root, kind))
  return ownKind && !entryOf(root, 'source') ? ownKind.kind : 'pipeline'
}

/** Slots and arguments, without a word: the document's own shape reports what is wrong with them. */
function readDeclarations(root: YamlMap, context: ReadContext): Declared {
  const silent: ReadContext = { ...context, report: () => {} }
  const slots = entryOf(root, 'connectors')?.value
  const args = entryOf(root, 'args')?.value
  return {
    kind: null,
    connector_refs: slots ? connectorSlots.readValid(slots, 'connectors', silent).values : {},
    arguments: args ? argumentSpecs.readValid(args, 'args', silent).values : {},
  }
}

/** The context in which the document's parts are read: which slots, arguments and binds there are. */
function withNames(root: YamlMap, context: ReadContext, declared: Declared, results: ScopeDescription): ReadContext {
  const { connector_refs, arguments: specs } = declared
  // A name whose definition is wrong still counts as declared: one mistake, one diagnostic.
  const slots = new Map<string, ConnectorSlot | null>(
    namesUnder(root, 'connectors').map((name) => [name, connector_refs[name] ?? null]),
  )
  const args: Record<string, ArgumentSpec | null> = {}
  for (const name of namesUnder(root, 'args')) args[name] = specs[name] ?? null
  const state = entryOf(root, 'state')?.value
  return {
    ...context,
    slots,
    binds: Object.keys(args),
    scope: taskScope(args),
    outputScope: outputScope(args, results),
    inputs: namesUnder(root, 'inputs'),
    hasCursor: state?.kind === 'map' && entryOf(state, 'cursor') !== undefined,
  }
}

function namesUnder(root: YamlMap, key: string): string[] {
  const node = entryOf(root, key)?.value
  return node?.kind === 'map' ? node.entries.map((entry) => entry.key) : []
}

function warnUnused(root: YamlMap, { used, report }: ReadContext): void {
  reportUnused(root, 'connectors', used.slots, report, (name) => ({
    code: 'unused_slot',
    message: msg('unused_slot', { name }),
    hint: msg('remove_or_use_slot'),
  }))
  reportUnused(root, 'args', used.arguments, report, (name) => ({
    code: 'unused_argument',
    message: msg('unused_argument', { name }),
    hint: msg('remove_or_use_argument', { name }),
  }))
}
