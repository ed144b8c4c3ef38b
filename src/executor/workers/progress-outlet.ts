import type { RunStep } from '../../contract/runs.ts'

const EVERY_MS = 250

/** The steps' state on its way out of the worker: the newest one, at most four times a second. */
export class ProgressOutlet {
  readonly #send: (steps: RunStep[]) => void
  #newest: RunStep[] | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(send: (steps: RunStep[]) => void) {
    this.#send = send
  }

  update(steps: RunStep[]): void {
    this.#newest = steps
    // The first one waits, too: a short run's steps come with its end.
    this.#timer ??= setTimeout(() => this.#flush(), EVERY_MS)
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#newest = null
  }

  #flush(): void {
    this.#timer = null
    if (this.#newest) this.#send(this.#newest)
    this.#newest = null
  }
}
