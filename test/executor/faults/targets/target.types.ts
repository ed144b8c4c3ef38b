import type { BoundConnector } from '../../../../src/contract/executor-protocol.ts'
import type { Server } from '../machine.ts'
import type { WriteMode } from '../rows.ts'
import type { World } from '../world.ts'

export interface TargetSpec {
  mode: WriteMode
  /** How many rows come in. */
  rows: number
  /** This row is one that the target does not take; null: it takes all. */
  refuses: number | null
  /** The server ends the session at this row; null: it does not. */
  ends: number | null
  /** The source's tables are to be in the same database. */
  holdsSource: boolean
  /** A folder of the target's own; by default one of the ordinary disk. */
  folder?: string
}

/** What another program than the engine finds there. */
export interface TargetState {
  lines: readonly string[]
  /** Every table, file or collection: nothing is to be left lying about. */
  places: string[]
}

export interface OpenedTarget {
  connector: BoundConnector
  /** What follows `target: `. */
  yaml: string
  look(): Promise<TargetState>
  /** Takes every row from now on. */
  relent?(): Promise<void>
  link?: { port: number; through(port: number): BoundConnector }
}

export interface TargetKind {
  readonly name: string
  /** What it is written to, where that is a server. */
  readonly server?: Server
  readonly modes: readonly WriteMode[]
  /** The most rows that are written to it in a time that can be waited for. */
  readonly rows: (mode: WriteMode) => number
  /** What each run takes longer than into a file. */
  readonly seconds?: (mode: WriteMode) => number
  readonly database?: 'sqlite' | 'postgres'
  /** How a single row can be refused; absent where all are taken. */
  readonly refuses?: (mode: WriteMode) => boolean
  /** Its sessions can be ended at a row. */
  readonly ends?: boolean
  readonly remote: boolean
  /** Written below `folder` of the spec, which may be a small disk. */
  readonly onDisk?: boolean
  /** Its rows pass through files in the run's temporary folder. */
  readonly staged?: boolean
  /** How a full disk is called where its server has no word for it. */
  readonly fullCode?: 'FILE_UNWRITABLE'
  /** Without transactions: what had arrived before a failure may stay there, as the docs say. */
  readonly mayKeep?: (mode: WriteMode) => boolean
  /** What a run that could tidy up no more leaves beside its place for a day: nobody can tell whether it still writes. */
  readonly lasting?: RegExp
  /** Tells by itself what it has been sent before. */
  readonly knowsRepetitions?: boolean
  open(world: World, spec: TargetSpec): Promise<OpenedTarget>
}

export const tableYaml = (mode: WriteMode): string =>
  `{connector: out, table: items, mode: ${mode}${mode === 'upsert' || mode === 'delete_insert' ? ', key: [id]' : ''}}`
