import { oneOf } from '../../shape/variants.ts'
import type { TargetDefinition } from '../definitions.ts'
import { collectionTarget } from './collection.target.ts'
import { fileTarget } from './file.target.ts'
import { httpTarget } from './http.target.ts'
import { tableTarget } from './table.target.ts'
import { msg } from '../../messages.ts'

/** Every target of this version. A new one is a file beside these and a name here. */
export const targets: readonly TargetDefinition[] = [tableTarget, fileTarget, collectionTarget, httpTarget]

export const targetShape = oneOf({
  noun: msg('target'),
  description:
    'Where the rows go: a `table`, a `file`, a `collection`, or an `http` API, with the connector slot to write to.',
  variants: targets.map((target) => target.variant),
})

export function targetDefinition(kind: string): TargetDefinition {
  const definition = targets.find((target) => target.kind === kind)
  if (!definition) throw new Error(`no target of kind ${kind}`)
  return definition
}
