import { nearest } from '../nearest.ts'
import { indexLines, type LineIndex } from '../yaml/line-index.ts'
import { entryOf, type YamlEntry, type YamlMap, type YamlNode } from '../yaml/yaml-tree.ts'
import type { RunIf } from './job.types.ts'
import { MAX_TASKS } from './limits.ts'

/** A task or gate as the DAG draws it, as far as it could be read. */
export interface JobNodeSummary {
  key: string
  kind: 'task' | 'gate'
  /** Keys of others that there are. */
  depends_on: string[]
  run_if: RunIf
  when: string | null
  description: string | null
  /** Name of the task; null for a gate. */
  task: string | null
  version: number | null
  for_each: boolean
  message: string | null
  pool: string | null
  /** Where it stands in the text, from 1. */
  line: number
  end_line: number
}

/** Keys that a name is compared with; more take too long. */
const MAX_COMPARED = 200

const runIfs: readonly RunIf[] = ['all_success', 'none_failed', 'all_done', 'any_failed']

/** The tasks and gates of a text, also of one with errors. Reports nothing. */
export function outlineNodes(text: string, root: YamlMap): JobNodeSummary[] {
  const tasks = entryOf(root, 'tasks')?.value
  if (tasks?.kind !== 'map') return []
  const position = indexLines(text)
  const entries = tasks.entries.slice(0, MAX_TASKS)
  const keys = new Set(entries.map(({ key }) => key))
  return entries.map((entry) => outline(entry, keys, position))
}

function outline({ key, keySpan, value }: YamlEntry, keys: ReadonlySet<string>, position: LineIndex): JobNodeSummary {
  const map = value.kind === 'map' ? value : null
  const read = (name: string): YamlNode | undefined => map?.entries.find((entry) => entry.key === name)?.value
  const [task, gate, runIf, version] = [textOf(read('task')), read('gate'), textOf(read('run_if')), read('version')]
  const kind = gate !== undefined && read('task') === undefined ? 'gate' : 'task'
  return {
    key,
    kind,
    depends_on: dependenciesOf(textsOf(read('depends_on')), key, keys),
    run_if: runIfs.find((one) => one === runIf) ?? 'all_success',
    when: textOf(read('when')),
    description: textOf(read('description'))?.trim() ?? null,
    task: kind === 'task' ? task : null,
    version: version?.kind === 'scalar' && Number.isSafeInteger(version.value) ? Number(version.value) : null,
    for_each: kind === 'task' && read('for_each') !== undefined,
    message: kind === 'gate' ? textOf(gate) : null,
    pool: textOf(read('pool')),
    line: position(keySpan.start).line,
    end_line: position(Math.max(keySpan.end, value.end)).line,
  }
}

const MAX_MISTYPED = 20

/** A mistyped one is the one that was meant: the mistake is reported where it stands, not also where it is referred to. */
function dependenciesOf(written: readonly string[], key: string, keys: ReadonlySet<string>): string[] {
  let mistyped = 0
  const meant = written.map((name) =>
    keys.has(name) || ++mistyped > MAX_MISTYPED || keys.size > MAX_COMPARED ? name : (nearest(name, keys) ?? name),
  )
  return [...new Set(meant)].filter((name) => name !== key && keys.has(name))
}

function textOf(node: YamlNode | undefined): string | null {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : null
}

function textsOf(node: YamlNode | undefined): string[] {
  const items = node?.kind === 'list' ? node.items : node ? [node] : []
  return [...new Set(items.flatMap((item) => textOf(item) ?? []))]
}
