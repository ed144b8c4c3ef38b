import { nearest } from './nearest.ts'
import { kinds } from './task/common-fields.ts'
import { readYaml } from './yaml/read-yaml.ts'
import { entryOf } from './yaml/yaml-tree.ts'

export type DocumentLanguage = 'task' | 'job' | 'dashboard'

/** Which language a text is in: that of job or dashboard templates when it says so, also mistyped, else that of tasks. Never throws. */
export function documentKind(text: string): DocumentLanguage {
  const { root } = readYaml(text, () => {})
  const kind = root?.kind === 'map' ? entryOf(root, 'kind')?.value : undefined
  if (kind?.kind !== 'scalar' || typeof kind.value !== 'string') return 'task'
  const meant = nearest(kind.value, ['job', 'dashboard', ...Object.keys(kinds)])
  return meant === 'job' || meant === 'dashboard' ? meant : 'task'
}
