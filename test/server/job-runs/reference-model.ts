/**
 * What job runs do, said a second time and as plainly as can be: no store, no limits of room, and after every event the whole
 * state is looked at again until nothing changes. Which units of work get room is not its business; it is told by `admit`.
 */
import type { RunIf } from '../../../src/language/job/job.types.ts'

export interface NodeSpec {
  key: string
  kind: 'task' | 'gate'
  depends_on: string[]
  run_if: RunIf
  /** `ok: x`: only when task x was `success`. */
  when: 'none' | 'never' | 'broken' | { ok: string }
  items: number | null
  on_item_error: 'fail' | 'continue'
  max_parallel: number
  on_failure: 'fail' | 'continue' | 'stop'
  retries: number
  pool: boolean
}
export interface JobSpec {
  nodes: NodeSpec[]
  concurrency: number
  selected: string[] | null
  skip_deps: boolean
}

type ItemState = 'waiting' | 'active' | 'success' | 'completed' | 'failed' | 'cancelled' | 'skipped'
export interface ModelItem {
  state: ItemState
  claimed: boolean
  attempt: number
  cancelling: boolean
  again: boolean
}
export interface ModelNode {
  spec: NodeSpec
  status: 'pending' | 'open' | 'paused' | 'success' | 'completed' | 'failed' | 'cancelled' | 'skipped'
  reason: string | null
  items: ModelItem[]
}
export type Outcome = 'success' | 'completed' | 'failed' | 'failed_retryable'

const newItem = (): ModelItem => ({ state: 'waiting', claimed: false, attempt: 1, cancelling: false, again: false })
const ended = (status: string) => ['success', 'completed', 'failed', 'cancelled', 'skipped'].includes(status)

export class Model {
  status: 'running' | 'paused' | 'completed' | 'failed' | 'cancelled' = 'running'
  pausedBy: 'asked' | 'gate' | null = null
  success = false
  cancelling = false
  stopped = false
  readonly nodes = new Map<string, ModelNode>()

  readonly spec: JobSpec

  constructor(spec: JobSpec) {
    this.spec = spec
    for (const one of spec.nodes) {
      const out = spec.selected !== null && !this.takesPart(one.key)
      const reason = out ? 'not_selected' : null
      this.nodes.set(one.key, { spec: one, status: out ? 'skipped' : 'pending', reason, items: [] })
    }
    this.settle()
  }

  private takesPart(key: string): boolean {
    const { selected, skip_deps, nodes } = this.spec
    if (selected === null || selected.includes(key)) return true
    if (skip_deps) return false
    return nodes.some(({ key: below, depends_on }) => depends_on.includes(key) && this.takesPart(below))
  }

  get ending(): boolean {
    return this.cancelling || this.stopped
  }
  all(state: ItemState): { node: ModelNode; index: number; item: ModelItem }[] {
    return [...this.nodes.values()].flatMap((node) =>
      node.items.flatMap((item, index) => (item.state === state ? [{ node, index, item }] : [])),
    )
  }
  private item(key: string, index: number): ModelItem {
    return this.nodes.get(key)!.items[index]!
  }

  // Events.
  admit(key: string, index: number): void {
    const item = this.item(key, index)
    if (item.state !== 'waiting' || this.status !== 'running' || this.ending)
      throw new Error(`${key}[${index}] may not start`)
    item.state = 'active'
    item.again = false
  }
  claim(key: string, index: number): void {
    this.item(key, index).claimed = true
  }
  /** An attempt is over, as its executor says; `lost`: nobody says anything. */
  attempt(key: string, index: number, outcome: Outcome | 'lost'): void {
    const item = this.item(key, index)
    const { retries } = this.nodes.get(key)!.spec
    item.claimed = false
    if (outcome === 'success' || outcome === 'completed') item.state = outcome
    else if (item.cancelling) this.stopItem(item)
    else if (outcome !== 'failed' && item.attempt <= retries) item.attempt += 1
    else item.state = 'failed'
    this.settle()
  }
  private stopItem(item: ModelItem): void {
    if (item.again && !this.cancelling) Object.assign(item, newItem(), { again: true })
    else item.state = 'cancelled'
  }
  cancelRun(key: string, index: number): void {
    const item = this.item(key, index)
    if (item.claimed) item.cancelling = true
    else this.stopItem(item)
    this.settle()
  }
  pause(stopRunning: boolean): boolean {
    if (this.status !== 'running' || this.ending) return false
    this.status = 'paused'
    this.pausedBy = 'asked'
    if (stopRunning) {
      for (const { item } of this.all('active')) {
        if (item.cancelling) continue
        item.again = true
        if (item.claimed) item.cancelling = true
        else this.stopItem(item)
      }
    }
    this.settle()
    return true
  }
  cancel(): boolean {
    if (this.status !== 'running' && this.status !== 'paused') return false
    if (this.cancelling) return true
    this.cancelling = true
    for (const { item } of this.all('active')) {
      if (item.claimed) item.cancelling = true
      else this.stopItem(item)
    }
    this.settle()
    return true
  }
  gate(key: string, open: boolean): boolean {
    const node = this.nodes.get(key)
    if (node?.status !== 'paused' || this.cancelling) return false
    node.status = open ? 'success' : 'failed'
    if (this.status === 'paused' && this.pausedBy === 'gate') this.status = 'running'
    this.settle()
    return true
  }
  resume(): boolean {
    if ((this.status !== 'paused' && this.status !== 'failed') || this.cancelling) return false
    if (this.status === 'paused') {
      for (const node of this.nodes.values()) if (node.status === 'paused') node.status = 'success'
    } else {
      this.stopped = false
      const again = new Set<string>()
      for (let size = -1; size !== again.size;) {
        size = again.size
        for (const [key, { status, reason, spec }] of this.nodes) {
          const follows = status === 'skipped' && spec.depends_on.some((other) => again.has(other))
          const bad = status === 'failed' || status === 'cancelled' || (status === 'skipped' && reason === 'stopped')
          if (reason !== 'not_selected' && (bad || follows)) again.add(key)
        }
      }
      for (const key of again) this.doAgain(this.nodes.get(key)!, again)
    }
    this.status = 'running'
    this.settle()
    return true
  }
  private doAgain(node: ModelNode, again: Set<string>): void {
    const changed = [...again].some((other) => other !== node.spec.key && this.isUpstream(other, node.spec.key))
    node.reason = null
    node.status = 'pending'
    if (changed) node.items = []
    const left = node.items.filter(({ state }) => ['failed', 'cancelled', 'skipped'].includes(state))
    for (const item of left) Object.assign(item, newItem())
    if (left.length > 0) node.status = 'open'
  }
  private isUpstream(above: string, key: string): boolean {
    const { depends_on } = this.nodes.get(key)!.spec
    return depends_on.includes(above) || depends_on.some((other) => this.isUpstream(above, other))
  }

  // Consequences.
  private settle(): void {
    for (let before = ''; before !== this.picture();) {
      before = this.picture()
      for (const node of this.nodes.values()) this.endNode(node)
      if (this.status !== 'running' && !(this.status === 'paused' && this.cancelling)) continue
      if (this.ending) this.stopWaiting()
      else this.decideAll()
      this.endJob()
    }
  }
  private picture(): string {
    return JSON.stringify([
      this.status,
      this.stopped,
      [...this.nodes.values()].map(({ status, items }) => [status, items]),
    ])
  }

  private endNode(node: ModelNode): void {
    if (node.status !== 'open') return
    const count = (...states: ItemState[]) => node.items.filter(({ state }) => states.includes(state)).length
    const { spec } = node
    const strict = spec.items === null || spec.on_item_error === 'fail'
    if (strict && count('failed', 'cancelled') > 0) {
      for (const item of node.items) if (item.state === 'waiting' && !item.again) item.state = 'skipped'
    }
    if (count('waiting', 'active') > 0) return
    const bad = count('failed', 'cancelled')
    const skipped = count('skipped')
    const done = count('success', 'completed')
    if (skipped === node.items.length) Object.assign(node, { status: 'skipped', reason: 'stopped' })
    else if (bad > 0 && (strict || skipped > 0 || done === 0))
      node.status = count('failed') > 0 ? 'failed' : 'cancelled'
    else if (skipped > 0) Object.assign(node, { status: 'cancelled', reason: 'stopped' })
    else node.status = bad > 0 || count('completed') > 0 ? 'completed' : 'success'
    this.noteEnd(node)
  }
  private noteEnd({ status, spec }: ModelNode): void {
    const bad = status === 'failed' || status === 'cancelled'
    if (bad && spec.kind === 'task' && spec.on_failure === 'stop' && !this.cancelling) this.stopped = true
  }

  /** What can be decided at this moment is, also where one of them stops the job run. */
  private decideAll(): void {
    for (let before = ''; before !== this.picture();) {
      before = this.picture()
      for (const node of this.nodes.values()) if (node.status === 'pending') this.decide(node)
    }
  }

  private decide(node: ModelNode): void {
    const { spec } = node
    const above = spec.depends_on.map((key) => this.nodes.get(key)!).filter(({ reason }) => reason !== 'not_selected')
    if (!above.every(({ status }) => ended(status))) return
    const bad = above.filter(({ status }) => status === 'failed' || status === 'cancelled').length
    const good = above.filter(({ status }) => status === 'success' || status === 'completed').length
    const holds = { all_success: good === above.length, none_failed: bad === 0, all_done: true, any_failed: bad > 0 }
    if (!holds[spec.run_if]) return void Object.assign(node, { status: 'skipped', reason: 'upstream' })
    if (spec.when === 'never') return void Object.assign(node, { status: 'skipped', reason: 'when' })
    if (spec.when === 'broken') {
      node.status = 'failed'
      return this.noteEnd(node)
    }
    if (typeof spec.when === 'object' && this.nodes.get(spec.when.ok)!.status !== 'success') {
      return void Object.assign(node, { status: 'skipped', reason: 'when' })
    }
    if (spec.kind === 'gate') node.status = 'paused'
    else if (spec.items === 0) Object.assign(node, { status: 'success', reason: 'empty' })
    else {
      node.status = 'open'
      node.items = Array.from({ length: spec.items ?? 1 }, newItem)
    }
  }

  private stopWaiting(): void {
    for (const node of this.nodes.values()) {
      if (node.status === 'pending' || node.status === 'paused')
        Object.assign(node, { status: 'skipped', reason: 'stopped' })
      for (const item of node.items) if (node.status === 'open' && item.state === 'waiting') item.state = 'skipped'
      this.endNode(node)
    }
  }

  private endJob(): void {
    const nodes = [...this.nodes.values()]
    if (nodes.some(({ status }) => status === 'open')) return
    if (this.stopped && nodes.some(({ status }) => !ended(status))) return
    if (nodes.some(({ status }) => status === 'paused')) {
      this.status = 'paused'
      this.pausedBy = 'gate'
      return
    }
    if (nodes.some(({ status }) => status === 'pending')) return
    const bad = nodes.filter(({ status }) => status === 'failed' || status === 'cancelled')
    const fatal = bad.some(({ spec }) => spec.kind === 'gate' || spec.on_failure !== 'continue')
    this.success = false
    if (this.cancelling) this.status = 'cancelled'
    else if (this.stopped || fatal) this.status = 'failed'
    else {
      this.status = 'completed'
      this.success = bad.length === 0 && nodes.every(({ status }) => status !== 'completed')
    }
  }
}
