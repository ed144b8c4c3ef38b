import { oneOf } from '../../shape/variants.ts'
import type { SourceDefinition } from '../definitions.ts'
import { filesSource } from './files.source.ts'
import { httpSource } from './http.source.ts'
import { inlineSource } from './inline.source.ts'
import { mongoSource } from './mongo.source.ts'
import { odataSource } from './odata.source.ts'
import { sqlSource } from './sql.source.ts'
import { msg } from '../../messages.ts'

/** Every source of this version. A new one is a file beside these and a name here. */
export const sources: readonly SourceDefinition[] = [
  filesSource,
  sqlSource,
  inlineSource,
  mongoSource,
  httpSource,
  odataSource,
]

export const sourceShape = oneOf({
  noun: msg('source'),
  description:
    'Where the rows come from: one of `files`, `sql`, `http`, `odata`, `mongo`, and `inline`, with the connector slot to read from.',
  variants: sources.map((source) => source.variant),
})

export function sourceDefinition(kind: string): SourceDefinition {
  const definition = sources.find((source) => source.kind === kind)
  if (!definition) throw new Error(`no source of kind ${kind}`)
  return definition
}
