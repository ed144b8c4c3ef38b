import { resolvePlain } from '../../../language/yaml/plain-scalar.ts'
import { readYaml } from '../../../language/yaml/read-yaml.ts'
import { type YamlNode, entryOf } from '../../../language/yaml/yaml-tree.ts'

/** Unicode NFC, trimmed, lower case; runs of other than letters (with their marks) and digits become one `_`. */
export function normalizedName(name: string): string {
  const lower = name.normalize('NFC').trim().toLowerCase().normalize('NFC')
  return lower.replaceAll(/[^\p{L}\p{M}\p{Nd}]+/gu, '_')
}

/**
 * The text with its `name` normalized, and with `rename` applied to the tasks that a job template names. Only these values
 * are touched: comments and layout stay. A text that cannot be read stays as it is; what is wrong with it is said later.
 */
export function withNormalizedNames(text: string, rename: (task: string) => string): string {
  const { root } = readYaml(text, () => {})
  if (root?.kind !== 'map') return text
  const name = entryOf(root, 'name')
  const edits = name ? editOf(name.value, name.keySpan.end, normalizedName) : []
  const tasks = entryOf(root, 'kind')?.value
  if (tasks?.kind === 'scalar' && tasks.value === 'job') edits.push(...taskEdits(entryOf(root, 'tasks')?.value, rename))
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((edited, { start, end, value }) => edited.slice(0, start) + scalar(value) + edited.slice(end), text)
}

interface Edit {
  start: number
  end: number
  value: string
}

function taskEdits(tasks: YamlNode | undefined, rename: (task: string) => string): Edit[] {
  if (tasks?.kind !== 'map') return []
  return tasks.entries.flatMap(({ value, keySpan }) => {
    const named = value.kind === 'map' && value.start >= keySpan.end ? entryOf(value, 'task') : undefined
    return named ? editOf(named.value, named.keySpan.end, rename) : []
  })
}

function editOf(node: YamlNode, keyEnd: number, rename: (name: string) => string): Edit[] {
  // An alias repeats what stands before its key; editing that would change more than this value.
  if (node.kind !== 'scalar' || typeof node.value !== 'string' || node.start < keyEnd) return []
  const value = rename(node.value)
  return value === node.value ? [] : [{ start: node.start, end: node.end, value }]
}

/** As a plain scalar where it is read as that very text, else in quotes. */
const scalar = (value: string) =>
  /^[\p{L}_][\p{L}\p{M}\p{Nd}_]*$/u.test(value) && resolvePlain(value).value === value ? value : JSON.stringify(value)
