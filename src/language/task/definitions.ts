import type { Shape } from '../shape/shape.types.ts'
import type { Variant } from '../shape/variants.ts'
import type { CursorValue } from './cursor-value.ts'
import type { Resolver } from './resolver.ts'
import type { CursorSpec, TaskSource } from './sources/source.types.ts'
import type { TaskStep } from './steps/step.types.ts'
import type { TaskTarget } from './targets/target.types.ts'
import type { Json } from './task.types.ts'
import type { Message } from '../message.ts'

/** Names of the columns at one place of a pipeline; null where they only show when it runs. */
export type KnownColumns = readonly string[] | null

/** A step's way to say something about one of its own keys or values. */
export interface FlowProblem {
  code: 'unknown_column' | 'column_exists'
  message: Message
  hint: Message
  /** Where, inside the step; the first that exists is taken (short and long forms differ). */
  candidates: (string | number)[][]
}
export type FlowReport = (problem: FlowProblem) => void

/** How a source is written, what it gives, and how it is made ready for a run. One per file, listed in the registry. */
export interface SourceDefinition<S extends TaskSource = TaskSource> {
  kind: S['kind']
  variant: Variant<S>
  columns(source: S): KnownColumns
  resolve(source: S, resolver: Resolver, path: string): S
  /** What `state.cursor` is in the source's expressions, where it is not the value as it was saved. */
  cursor?(type: CursorSpec['type'], value: CursorValue): Json
}

export interface StepDefinition<S extends TaskStep = TaskStep> {
  kind: S['kind']
  /** What stands under the step's key, short or long. */
  shape: Shape<S>
  /** Columns after the step, given those of the stream and of each input; reports columns it names that are known not to be there. */
  flow(step: S, columns: KnownColumns, report: FlowReport, inputs: Readonly<Record<string, KnownColumns>>): KnownColumns
  resolve(step: S, resolver: Resolver, path: string): S
}

export interface TargetDefinition<T extends TaskTarget = TaskTarget> {
  kind: T['kind']
  variant: Variant<T>
  /** Columns that must be there, with where they are named inside the target. */
  needs(target: T): { column: string; segments: (string | number)[] }[]
  resolve(target: T, resolver: Resolver, path: string): T
}

/*
 * The registries hold definitions of different kinds in one list. Each is only ever given documents of its own `kind`, which is
 * what makes dropping the type parameter below sound (methods compare bivariantly).
 */
export const defineSource = <S extends TaskSource>(definition: SourceDefinition<S>): SourceDefinition => definition
export const defineStep = <S extends TaskStep>(definition: StepDefinition<S>): StepDefinition => definition
export const defineTarget = <T extends TaskTarget>(definition: TargetDefinition<T>): TargetDefinition => definition
