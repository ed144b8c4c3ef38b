import type { Diagnostic } from '../diagnostics.ts'
import { suggest } from '../nearest.ts'
import { readDocument, reportUnused } from '../read-document.ts'
import { readMistyped } from '../shape/mistyped-keys.ts'
import { reportType } from '../shape/report-value.ts'
import type { ReadContext } from '../shape/shape.types.ts'
import type { ArgumentSpec, ConnectorSlot } from '../task/task.types.ts'
import { entryOf, type YamlMap, type YamlNode } from '../yaml/yaml-tree.ts'
import { checkCatalogue, explicitAccess, type NeededAccess } from './check-catalogue.ts'
import type { JobCatalogue, JobDocument } from './job.types.ts'
import { buildGraph } from './job-graph.ts'
import { outlineNodes, type JobNodeSummary } from './job-outline.ts'
import { elsewhere, parametersRoot } from './job-scope.ts'
import { jobShape, kindJob, parameterSpecs, templateConnectors } from './job-shape.ts'
import type { JobSurroundings } from './job-surroundings.ts'
import { nodeKeys } from './node-shapes.ts'
import { reportCycles } from './report-cycles.ts'
import { msg } from '../messages.ts'

export interface ParsedJob {
  /** null when any diagnostic is an error. */
  job: JobDocument | null
  /** In order of appearance. */
  diagnostics: Diagnostic[]
  /** The template's connectors by name, as far as they could be read. With a catalogue, `access` is what the tasks need where none is written. */
  connector_refs: Record<string, ConnectorSlot>
  /** Likewise. */
  parameters: Record<string, ArgumentSpec>
  /** Tasks and gates in the order of the text, also of a text with errors. */
  nodes: JobNodeSummary[]
}

/**
 * Reads, checks and normalises a job template. With a catalogue also whether the tasks, slots, arguments, pools and channels that it
 * names are there. Whatever the text: never throws.
 */
export function parseJob(text: string, catalogue?: JobCatalogue): ParsedJob {
  const { root: _root, ...parsed } = parseJobTree(text, catalogue)
  return parsed
}

/** With the YAML as a tree, for editors: reading it is most of the work. */
export function parseJobTree(text: string, catalogue?: JobCatalogue): ParsedJob & { root: YamlNode | null } {
  const { read, root, diagnostics, complete } = readDocument(text, nothing, (written, empty) =>
    readRoot(text, written, { ...empty, elsewhere }, catalogue),
  )
  return { ...read, job: complete ? read.job : null, diagnostics, root }
}

type Read = Omit<ParsedJob, 'diagnostics'>
const nothing: Read = { job: null, connector_refs: {}, parameters: {}, nodes: [] }

function readRoot(text: string, written: YamlNode, empty: ReadContext, catalogue: JobCatalogue | undefined): Read {
  if (written.kind !== 'map') {
    reportType(written, '', empty, msg('a_map'), msg('start_with_job'))
    return nothing
  }
  const root = withMistypedRead(written)
  const declared = readDeclarations(root, empty)
  const nodes = outlineNodes(text, root)
  const read: Read = { job: null, ...declared, nodes }
  // Of another kind of document all keys would be wrong: only the kind itself is reported.
  const kind = entryOf(root, 'kind')?.value
  if (kind && kindJob.read(kind, 'kind', empty) === undefined) return read
  const job: JobSurroundings = {
    graph: buildGraph(nodes),
    key: '',
    parameters: parametersRoot(withMistaken(root, 'parameters', declared.parameters)),
    argsScope: {},
    suggest: limitedSuggest(),
  }
  const slots = new Map(Object.entries(withMistaken(root, 'connectors', declared.connector_refs)))
  const context: ReadContext = { ...empty, slots, job }
  const values = jobShape.read(root, '', context)
  reportCycles(root, job.graph, context)
  // What a mistake keeps from being used is not unused.
  if (values) warnUnused(root, context)
  const needed: NeededAccess = catalogue ? checkCatalogue(root, catalogue, context, job.suggest) : new Map()
  const connector_refs = withNeededAccess(root, declared.connector_refs, needed)
  return { ...read, connector_refs, job: values ? normalize(values, connector_refs) : null }
}

/** The document with mistyped keys read as those that were meant, as far as its parts refer to each other. */
function withMistypedRead(written: YamlMap): YamlMap {
  const root = readMistyped(written, Object.keys(jobShape.fields))
  return {
    ...root,
    entries: root.entries.map((entry) =>
      entry.key === 'tasks' && entry.value.kind === 'map'
        ? {
            ...entry,
            value: {
              ...entry.value,
              entries: entry.value.entries.map((node) =>
                node.value.kind === 'map' ? { ...node, value: readMistyped(node.value, nodeKeys) } : node,
              ),
            },
          }
        : entry,
    ),
  }
}

/** Connectors and parameters, without a word: the document's own shape reports what is wrong with them. */
function readDeclarations(root: YamlMap, context: ReadContext): Pick<Read, 'connector_refs' | 'parameters'> {
  const silent: ReadContext = { ...context, report: () => {} }
  const connectors = entryOf(root, 'connectors')?.value
  const parameters = entryOf(root, 'parameters')?.value
  return {
    connector_refs: connectors ? templateConnectors.readValid(connectors, 'connectors', silent).values : {},
    parameters: parameters ? parameterSpecs.readValid(parameters, 'parameters', silent).values : {},
  }
}

/** With null under the names whose definition is wrong: they count as declared, for one mistake gives one diagnostic. */
function withMistaken<T>(root: YamlMap, section: string, read: Record<string, T>): Record<string, T | null> {
  const node = entryOf(root, section)?.value
  const names = node?.kind === 'map' ? node.entries.map(({ key }) => key) : []
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(read, name) ? (read[name] ?? null) : null]))
}

/** Comparing a wrong name with thousands takes time, and nobody reads dozens of hints. */
const MAX_SUGGESTIONS = 20

function limitedSuggest(): JobSurroundings['suggest'] {
  let left = MAX_SUGGESTIONS
  return (name, candidates, noun) =>
    left-- > 0 ? suggest(name, candidates, noun) : msg('count_here', { count: candidates.length, what: msg(noun) })
}

function warnUnused(root: YamlMap, { used, report }: ReadContext): void {
  reportUnused(root, 'connectors', used.slots, report, (name) => ({
    code: 'unused_connector',
    message: msg('unused_connector', { name }),
    hint: msg('remove_or_bind'),
  }))
  reportUnused(root, 'parameters', used.arguments, report, (name) => ({
    code: 'unused_job_parameter',
    message: msg('unused_job_parameter', { name }),
    hint: msg('remove_or_use_parameter', { name }),
  }))
}

function withNeededAccess(
  root: YamlMap,
  connectors: Record<string, ConnectorSlot>,
  needed: NeededAccess,
): Record<string, ConnectorSlot> {
  const written = explicitAccess(root)
  return Object.fromEntries(
    Object.entries(connectors).map(([name, slot]) => [
      name,
      written.has(name) ? slot : { ...slot, access: needed.get(name) ?? slot.access },
    ]),
  )
}

function normalize(
  values: NonNullable<ReturnType<typeof jobShape.read>>,
  connectors: Record<string, ConnectorSlot>,
): JobDocument {
  const { name, description, timezone, parameters, concurrency, timeout, deadline, priority, tasks, notify } = values
  return {
    name,
    description: description?.trim() ?? null,
    timezone: timezone ?? 'UTC',
    parameters,
    connectors,
    concurrency,
    timeout_ms: timeout ?? null,
    deadline_ms: deadline ?? null,
    priority,
    tasks,
    notify,
  }
}
