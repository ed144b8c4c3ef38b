import type { ScopeDescription } from '../../expressions/references.ts'
import type { ObjectShape, Fields } from '../../shape/collections.ts'
import type { ReadContext } from '../../shape/shape.types.ts'
import type { YamlMap } from '../../yaml/yaml-tree.ts'
import type { Resolver } from '../resolver.ts'
import type { TaskDocument } from './task-document.types.ts'

/** How a kind of task is written, and how it is made ready for a run. One per file, listed in the registry. */
export interface KindDefinition<T extends TaskDocument = TaskDocument> {
  kind: T['kind']
  shape: ObjectShape<Fields>
  /** From the YAML to the normalised form; null after it has reported why there is none. */
  read(root: YamlMap, context: ReadContext): T | null
  /** Everything but `hooks` and `outputs`, whose turn comes later; problems go to the resolver. */
  resolve(task: T, resolver: Resolver): T
  /** What outputs and `hooks.after` may refer to besides `args` and `run`. */
  results: ScopeDescription
}

/** The registry holds definitions of different kinds in one list; each is only ever given tasks of its own kind. */
export const defineKind = <T extends TaskDocument>(definition: KindDefinition<T>): KindDefinition => definition
