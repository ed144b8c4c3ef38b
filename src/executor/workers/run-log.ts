import type { LogEntry } from '../../contract/executor-protocol.ts'
import type { LogLevel } from '../../contract/runs.ts'
import { LogSpool } from './log-spool.ts'
import type { Redact } from '../redact.ts'

export const logLimits = {
  /** Units of UTF-16; longer messages become several lines. The contract's limit for one line. */
  message: 65_536,
  batchLines: 1_000,
  batchBytes: 64 * 1024,
  /** The first lines of a run leave sooner: somebody may be watching, and a run that is over by then sends but one message. */
  firstFlushMs: 20,
  flushMs: 100,
  /** Sent and not yet taken by the control plane. */
  windowBytes: 1024 * 1024,
  /** Waiting in memory; what is beyond goes to the spool. */
  memoryBytes: 1024 * 1024,
} as const

/** What a line costs beside its message. */
const LINE_OVERHEAD = 64

export interface RunLogOptions {
  redact: Redact
  send: (lines: LogEntry[], bytes: number) => void
  /** Where lines go that do not fit into memory. */
  spoolPath: string
}

/** The log of a run on its way out of the worker: redacted, batched, in order, its memory bounded. */
export class RunLog {
  readonly #redact: Redact
  readonly #send: RunLogOptions['send']
  readonly #spool: LogSpool
  #waiting: LogEntry[] = []
  #waitingBytes = 0
  #untakenBytes = 0
  #timer: NodeJS.Timeout | null = null
  #flushed = false
  #roomListeners: (() => void)[] = []

  constructor({ redact, send, spoolPath }: RunLogOptions) {
    this.#redact = redact
    this.#send = send
    this.#spool = new LogSpool(spoolPath)
  }

  add(level: LogLevel, message: string, step: string | null = null): void {
    const at = new Date().toISOString()
    const text = this.#redact(message)
    for (const part of splitMessage(text, logLimits.message)) this.#addLine(at, level, step, part)
  }

  /** Resolves when nothing waits but what fits into one batch. */
  room(): Promise<void> {
    if (this.#hasRoom()) return Promise.resolve()
    return new Promise((resolve) => void this.#roomListeners.push(resolve))
  }

  taken(bytes: number): void {
    this.#untakenBytes -= bytes
    this.#flush()
    if (!this.#hasRoom()) return
    for (const listener of this.#roomListeners.splice(0)) listener()
  }

  /** Waits until the rest is one batch, and gives that. Nothing may be added afterwards. */
  async finish(): Promise<LogEntry[]> {
    while (!this.#hasRoom()) await this.room()
    this.#stopTimer()
    this.#spool.close()
    return this.#waiting
  }

  #hasRoom(): boolean {
    return (
      this.#spool.empty && this.#waitingBytes <= logLimits.batchBytes && this.#waiting.length <= logLimits.batchLines
    )
  }

  #addLine(at: string, level: LogLevel, step: string | null, message: string): void {
    // The same literal twice, on purpose: V8 learns for each one how long its objects live. Those that wait live long, and V8 then makes them
    // in the old generation at once. There, objects for the spool would keep their messages alive until the whole heap is collected.
    if (!this.#spool.empty || this.#waitingBytes >= logLimits.memoryBytes)
      return this.#spool.append({ at, level, step, message })
    const entry = { at, level, step, message }
    this.#waiting.push(entry)
    this.#waitingBytes += sizeOf(entry)
    if (this.#waitingBytes > logLimits.batchBytes || this.#waiting.length > logLimits.batchLines) this.#flush()
    else this.#startTimer()
  }

  /** Sends what there is, as far as the window allows. */
  #flush(): void {
    this.#stopTimer()
    this.#flushed = true
    while (this.#waiting.length > 0 && this.#untakenBytes < logLimits.windowBytes) {
      const { lines, bytes } = this.#takeBatch()
      this.#untakenBytes += bytes
      this.#send(lines, bytes)
      if (this.#waiting.length === 0) this.#refill()
    }
  }

  #takeBatch(): { lines: LogEntry[]; bytes: number } {
    let count = 0
    let bytes = 0
    for (const entry of this.#waiting) {
      if (count === logLimits.batchLines || bytes >= logLimits.batchBytes) break
      count += 1
      bytes += sizeOf(entry)
    }
    this.#waitingBytes -= bytes
    return { lines: this.#waiting.splice(0, count), bytes }
  }

  #refill(): void {
    this.#waiting = this.#spool.take()
    this.#waitingBytes = this.#waiting.reduce((sum, entry) => sum + sizeOf(entry), 0)
  }

  #startTimer(): void {
    this.#timer ??= setTimeout(() => this.#flush(), this.#flushed ? logLimits.flushMs : logLimits.firstFlushMs)
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}

function sizeOf(entry: LogEntry): number {
  return entry.message.length + LINE_OVERHEAD
}

/** Parts of at most `limit` units, none of them ending in the middle of a character. */
export function splitMessage(text: string, limit: number): string[] {
  if (text.length <= limit) return [text]
  const parts: string[] = []
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + limit, text.length)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
    parts.push(text.slice(start, end))
    start = end
  }
  return parts
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
