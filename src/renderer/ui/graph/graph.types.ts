import type { Status } from '../status.ts'

/** What holds the data that tasks read and write. */
export const dataKinds = ['table', 'file', 'collection', 'entity_set', 'path', 'query'] as const
export type GraphNodeKind = 'task' | 'gate' | (typeof dataKinds)[number]

/** A task, gate or dataset as the graph shows it. */
export interface GraphNode {
  id: string
  label: string
  /** Second line: the task behind a key, a duration, what a gate asks; of what grows older, what it says at a moment. */
  sublabel?: string | ((now: number) => string)
  /** What `sublabel` is short for, in the tooltip. */
  inFull?: string
  kind: GraphNodeKind
  /** Colours the node, and is said in its second line. */
  status?: Status
  /** Said in its place where the same status has another word. */
  statusWord?: string
  /** The second line says only `sublabel`: the status is a word too many there, and is in the icon and the tooltip. */
  brief?: boolean
  /** Beside the label: `v3`, `× 12`. */
  badge?: string
  /** Something is wrong with it, in words. */
  problem?: { severity: 'error' | 'warning'; message: string }
  /** Not part of what is looked at, but connected with it, or beside it. */
  dimmed?: boolean
  /** Doesn’t run: it was not selected, or is reused. */
  idle?: boolean
  /** Ids; those that are not in the graph are left out. */
  dependsOn: readonly string[]
}

/** The way that arrows point: to the right, or down. */
export type GraphDirection = 'right' | 'down'

export interface Point {
  x: number
  y: number
}

export interface NodeSize {
  width: number
  height: number
}

export interface LayoutRequest {
  direction: GraphDirection
  /** Of the largest node. */
  size: NodeSize
  /** Of each node, where not all are alike. */
  sizes?: readonly NodeSize[]
  ids: readonly string[]
  /** Pairs of indexes into `ids`: from a dependency to what depends on it. */
  edges: readonly (readonly [from: number, to: number])[]
}

/** Where nodes stand (their upper left corner) and which way edges go, in the order of the request. */
export interface GraphLayout {
  direction: GraphDirection
  size: NodeSize
  sizes?: LayoutRequest['sizes']
  ids: readonly string[]
  edges: LayoutRequest['edges']
  nodes: readonly Point[]
  /** Of each edge what lies between its two nodes. */
  bends: readonly (readonly Point[])[]
  width: number
  height: number
}

/** Wide enough for most names and for a status with its duration; wider, a job of four ranks could not be read beside its tree at 1280 pixels, nor lineage of five beside its details. */
export const nodeSize: NodeSize = { width: 168, height: 44 }
