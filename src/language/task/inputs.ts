import { suggest } from '../nearest.ts'
import { record } from '../shape/record.ts'
import { reportType } from '../shape/report-value.ts'
import type { ReadContext, Shape } from '../shape/shape.types.ts'
import { scanSql } from '../sql/scan-sql.ts'
import { entryOf, joinPath, type YamlMap, type YamlNode } from '../yaml/yaml-tree.ts'
import { NAME } from './connector-slots.ts'
import { sourceShape } from './sources/source-registry.ts'
import type { TaskSource } from './sources/source.types.ts'
import type { TaskStep } from './steps/step.types.ts'
import { msg } from '../messages.ts'

const inputs = record(sourceShape, {
  description:
    'Additional sources by name, for `lookup` and `sql` steps. Each is read completely when a step first uses it, so use them only for tables that fit on the executor’s disk.',
  examples: [{ countries: { connector: 'files', files: { glob: 'countries.csv' } } }],
  max: 20,
  key: { pattern: NAME, wanted: msg('name_wanted') },
})

export const inputsShape: Shape<Record<string, TaskSource>> = {
  schema: inputs.schema,
  read(node, path, context) {
    const values = inputs.read(node, path, context)
    if (node.kind !== 'map') return undefined
    return checkNames(node, path, context) && values && checkOptions(values, node, path, context) ? values : undefined
  },
}

/** SQL does not tell names apart by capitals, and `stream` is taken. */
function checkNames(node: YamlMap, path: string, context: ReadContext): boolean {
  const seen = new Map([['stream', 'stream']])
  for (const entry of node.entries) {
    const other = seen.get(entry.key.toLowerCase())
    seen.set(entry.key.toLowerCase(), entry.key)
    if (other === undefined) continue
    context.report({
      code: 'duplicate_item',
      message:
        other === 'stream'
          ? msg('input_called_stream', { key: entry.key })
          : msg('inputs_differ_in_case', { first: other, second: entry.key }),
      hint: msg('choose_other_name'),
      path: joinPath(path, entry.key),
      at: entry.keySpan,
    })
    return false
  }
  return true
}

/** What only makes sense where the run's rows come from. */
function checkOptions(values: Record<string, TaskSource>, node: YamlMap, path: string, context: ReadContext): boolean {
  for (const [name, input] of Object.entries(values)) {
    if (input.kind !== 'files' || !input.new_only) continue
    const files = filesOf(entryOf(node, name)?.value)
    context.report({
      code: 'option_not_applicable',
      message: msg('new_only_of_input'),
      hint: msg('remove_it'),
      path: joinPath(joinPath(joinPath(path, name), 'files'), 'new_only'),
      at: (files && entryOf(files, 'new_only')?.keySpan) ?? node.mark,
    })
    return false
  }
  return true
}

function filesOf(input: YamlNode | undefined): YamlMap | null {
  const files = input?.kind === 'map' ? entryOf(input, 'files')?.value : undefined
  return files?.kind === 'map' ? files : null
}

/** A reference to one of the task's inputs. */
export const inputReference: Shape<string> = {
  schema: { type: 'string', description: 'Name of one of the task’s `inputs`.', 'x-complete': 'input' },
  read(node, path, context) {
    if (node.kind !== 'scalar' || typeof node.value !== 'string')
      return reportType(node, path, context, msg('text_input_name'))
    const name = node.value
    if (context.inputs.includes(name)) return name
    context.report({
      code: 'unknown_input',
      message: msg('unknown_input', { name: name.slice(0, 60) }),
      hint:
        context.inputs.length === 0
          ? NAME.test(name)
            ? msg('declare_input', { name })
            : msg('declare_input_countries')
          : suggest(name, context.inputs, 'inputs'),
      path,
      at: node.mark,
    })
    return undefined
  },
}

/** Names of the inputs that a step reads; of SQL every mention counts. */
export function inputsUsedBy(step: TaskStep, names: readonly string[]): string[] {
  if (step.kind === 'lookup') return [step.input]
  if (step.kind !== 'sql') return []
  const words = new Set(
    scanSql(step.query, 'duckdb')
      .filter((token) => token.kind === 'word' || token.kind === 'quoted')
      .map((token) => step.query.slice(token.start, token.end).replaceAll('"', '').toLowerCase()),
  )
  return names.filter((name) => words.has(name.toLowerCase()))
}
