import { shortened } from '../../language/shortened.ts'
import type { RejectEntry } from '../../contract/executor-protocol.ts'
import { redactDeep, type Redact } from '../redact.ts'

export const rejectLimits = {
  /** The control plane keeps so many of a run; what is beyond is counted, not sent. */
  kept: 10_000,
  batchRows: 2_000,
  batchBytes: 1024 * 1024,
  reason: 4_000,
  step: 200,
  /** JSON of one row; texts of a larger one are cut. */
  rowBytes: 64 * 1024,
  text: 1_000,
} as const

/** Rejected rows on their way out of the worker: one batch under way at a time. */
export class RejectOutlet {
  readonly #redact: Redact
  readonly #send: (batch: RejectEntry[]) => void
  #left: number = rejectLimits.kept
  #waiting: RejectEntry[] = []
  #waitingBytes = 0
  #underWay = false
  #listeners: (() => void)[] = []

  constructor(redact: Redact, send: (batch: RejectEntry[]) => void) {
    this.#redact = redact
    this.#send = send
  }

  /** Resolves when less than a batch waits. */
  async add(entries: RejectEntry[]): Promise<void> {
    for (const entry of entries.slice(0, this.#left)) {
      const [prepared, bytes] = this.#prepare(entry)
      this.#left -= 1
      this.#waiting.push(prepared)
      this.#waitingBytes += bytes
      if (this.#full()) await this.#room()
    }
  }

  taken(): void {
    this.#underWay = false
    for (const listener of this.#listeners.splice(0)) listener()
  }

  /** Resolves when all of them are sent. */
  async finish(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.#sendBatch()
      if (this.#waiting.length > 0) await this.#nextTaken()
    }
  }

  #full(): boolean {
    return this.#waiting.length >= rejectLimits.batchRows || this.#waitingBytes >= rejectLimits.batchBytes
  }

  async #room(): Promise<void> {
    while (this.#full()) {
      this.#sendBatch()
      if (this.#full()) await this.#nextTaken()
    }
  }

  #nextTaken(): Promise<void> {
    return new Promise((resolve) => void this.#listeners.push(resolve))
  }

  #sendBatch(): void {
    if (this.#underWay || this.#waiting.length === 0) return
    this.#underWay = true
    this.#send(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
  }

  #prepare({ step, reason, code, params, row, form }: RejectEntry): [RejectEntry, bytes: number] {
    const json = JSON.stringify(row)
    const kept = json.length <= rejectLimits.rowBytes ? row : cutRow(row)
    const entry = {
      step: step.slice(0, rejectLimits.step),
      reason: shortened(this.#redact(reason), rejectLimits.reason),
      ...(code !== undefined && { code }),
      ...(params && { params: redactDeep(params, this.#redact) }),
      row: kept,
      ...(form !== undefined && kept === row && { form }),
    }
    return [entry, Math.min(json.length, rejectLimits.rowBytes) + reason.length]
  }
}

/** A row that is small enough: every value as a text, cut; columns beyond what fits are left out, and it says so. */
function cutRow(row: RejectEntry['row']): RejectEntry['row'] {
  // Without a prototype: a column may be called `__proto__`.
  const kept = Object.create(null) as Record<string, unknown>
  let bytes = 0
  for (const [name, value] of Object.entries(row)) {
    const text = shortened(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'), rejectLimits.text)
    bytes += name.length + text.length
    if (bytes > rejectLimits.rowBytes) {
      kept['…'] = 'More columns are omitted: the row is too large.'
      break
    }
    kept[name] = text
  }
  return kept
}
