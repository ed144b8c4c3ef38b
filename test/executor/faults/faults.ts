import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import type { FinishedRun, RunOptions } from '../engine/run-task.ts'
import type { Lane } from './lanes.ts'
import type { Place, WriteMode } from './rows.ts'
import type { OpenedSource, SourceKind, SourceSpec } from './sources/source.types.ts'
import type { OpenedTarget, TargetKind, TargetSpec, TargetState } from './targets/target.types.ts'
import type { World } from './world.ts'

/** A way through the engine. */
export interface Route {
  source: SourceKind
  lane: Lane
  target: TargetKind
  mode: WriteMode
}

export interface Cell extends Route {
  fault: Fault
  place: Place
}

/** What a fault may use to strike. */
export interface Scene {
  cell: Cell
  world: World
  /** So many rows come in. */
  rows: number
  source(harm: SourceSpec['harm']): Promise<OpenedSource>
  target(spec?: Partial<TargetSpec>): Promise<OpenedTarget>
  run(source: OpenedSource, target: OpenedTarget, more?: RunChanges): Promise<FinishedRun>
}

export interface RunChanges extends RunOptions {
  /** Instead of those that the source and the target are bound to. */
  connectors?: { in?: BoundConnector; out?: BoundConnector }
  /** Further steps, before those of the lane. */
  firstSteps?: string
}

/** What came of it, and what must have been said. */
export interface Struck {
  failed: FinishedRun
  /** Where the run is to say that it failed; absent: nobody can know. */
  stages?: string[]
  /** How it is to be called; absent: by any documented code. */
  codes?: string[]
  /** What its message must name. */
  says?: RegExp
  target: OpenedTarget
  /** A run without the fault. */
  again(): Promise<FinishedRun>
  /** What the target held before. */
  before: TargetState
  /**
   * What was written beside the target could not be removed: the next run does that. Where the process that made it still lives, only
   * one after its end; and where it does not, nobody could count what stays.
   */
  mayLeave?: 'until the next run' | 'until the process ends'
  /** The run without the fault is another one, not another attempt of the same: a target cannot tell that it sends the same rows. */
  isAnotherRun?: boolean
  /** When all has been looked at. */
  done?(): void
}

export interface Fault {
  readonly name: string
  /** What is wrong is the source's: which one it is makes the difference. */
  readonly ofSource?: boolean
  /** What of the machine it needs and does not have. */
  readonly lacks?: string | null
  /** About how long a cell takes; by default 1. */
  seconds?(route: Route): number
  /** Why there is no such cell; null: there is. */
  unfit(route: Route): string | null
  strike(scene: Scene): Promise<Struck>
}
