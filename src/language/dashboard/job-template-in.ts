import { readYaml } from '../yaml/read-yaml.ts'
import { entryOf } from '../yaml/yaml-tree.ts'

/** `job_template` of a text, however far it can be read. */
export function jobTemplateIn(yaml: string): string | undefined {
  const { root } = readYaml(yaml, () => {})
  const node = root?.kind === 'map' ? entryOf(root, 'job_template')?.value : undefined
  return node?.kind === 'scalar' && typeof node.value === 'string' && node.value !== '' ? node.value : undefined
}
