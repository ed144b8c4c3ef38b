import type { BoundConnector } from '../../../../src/contract/executor-protocol.ts'
import type { Server } from '../machine.ts'
import type { World } from '../world.ts'

/** What is wrong with a source itself. */
export type Harm =
  /** The code of this row is no number. */
  | { kind: 'bad value'; row: number }
  /** The text of this row is no UTF-8. */
  | { kind: 'invalid bytes'; row: number }
  /** The server ends the session at this row. */
  | { kind: 'ended session'; row: number }
  /** So much of the body is there, of 1. */
  | { kind: 'truncated'; share: number }

export interface SourceSpec {
  rows: number
  /** The source gives `code` as a whole number, and fails where it is none; else it is text. */
  typed: boolean
  harm: Harm | null
}

export interface OpenedSource {
  /** null: the rows stand in the task. */
  connector: BoundConnector | null
  /** What follows `source: `. */
  yaml: string
  /** What a message about this source has to name, beside the stage. */
  place: RegExp
  /** Where it listens, and the same source behind another port; absent where it has no connection. */
  link?: { port: number; through(port: number): BoundConnector }
}

export interface SourceKind {
  readonly name: string
  /** What it is read from, where that is a server. */
  readonly server?: Server
  /** How many rows are read from it: several chunks, in a time that can be waited for. */
  readonly rows: number
  /** Its tables can also be moved without the columnar lane. */
  readonly database?: 'sqlite' | 'postgres'
  readonly harms: readonly Harm['kind'][]
  /** Its rows pass through files in the run's temporary folder. */
  readonly staged?: boolean
  /** Asks again, for seconds, where the connection is lost. */
  readonly retries?: boolean
  /** Reads over a connection that can be cut. */
  readonly remote: boolean
  open(world: World, spec: SourceSpec): Promise<OpenedSource>
}
