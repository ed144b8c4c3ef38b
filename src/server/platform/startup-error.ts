/** The server cannot start, for a reason that its user can do something about: the message is the whole line he sees. */
export class StartupError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StartupError'
  }
}
