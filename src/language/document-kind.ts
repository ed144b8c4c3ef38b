import { readYaml } from './yaml/read-yaml.ts'
import { entryOf } from './yaml/yaml-tree.ts'

/** Which language a text is in: that of job templates when it says so, else that of tasks. Never throws. */
export function documentKind(text: string): 'task' | 'job' {
  const { root } = readYaml(text, () => {})
  const kind = root?.kind === 'map' ? entryOf(root, 'kind')?.value : undefined
  return kind?.kind === 'scalar' && kind.value === 'job' ? 'job' : 'task'
}
