import { nearest } from './nearest.ts'
import { kinds } from './task/common-fields.ts'
import { readYaml } from './yaml/read-yaml.ts'
import { entryOf } from './yaml/yaml-tree.ts'

/** Which language a text is in: that of job templates when it says so, also mistyped, else that of tasks. Never throws. */
export function documentKind(text: string): 'task' | 'job' {
  const { root } = readYaml(text, () => {})
  const kind = root?.kind === 'map' ? entryOf(root, 'kind')?.value : undefined
  if (kind?.kind !== 'scalar' || typeof kind.value !== 'string') return 'task'
  return nearest(kind.value, ['job', ...Object.keys(kinds)]) === 'job' ? 'job' : 'task'
}
