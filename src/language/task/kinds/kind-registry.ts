import type { TaskDocument } from './task-document.types.ts'
import { commandKind } from './command.kind.ts'
import { httpKind } from './http.kind.ts'
import type { KindDefinition } from './kind.types.ts'
import { pipelineKind } from './pipeline.kind.ts'
import { scriptKind } from './script.kind.ts'
import { sqlKind } from './sql.kind.ts'

/** Every kind of task. A new one is a file beside these and a name here and in `common-fields.ts`. */
export const kindDefinitions: readonly KindDefinition[] = [pipelineKind, sqlKind, httpKind, scriptKind, commandKind]

export function kindDefinition(kind: TaskDocument['kind']): KindDefinition {
  const definition = kindDefinitions.find((candidate) => candidate.kind === kind)
  if (!definition) throw new Error(`no task of kind ${kind}`)
  return definition
}
