/** What whoever started the server may offer as a remedy. */
export interface RestoreOffer {
  /** Of a backup that was checked. */
  name: string
  created_at: string
}

/** The server cannot start, for a reason that its user can do something about: the message is the whole line he sees. */
export class StartupError extends Error {
  /** Set when the store is damaged and a good backup is there. */
  readonly restore: RestoreOffer | undefined
  /** What to give `--accept-loss` to start without the changes that were lost. */
  readonly accept: string | undefined

  constructor(message: string, cause?: unknown, restore?: RestoreOffer, accept?: string) {
    super(message, { cause })
    this.name = 'StartupError'
    this.restore = restore
    this.accept = accept
  }
}
