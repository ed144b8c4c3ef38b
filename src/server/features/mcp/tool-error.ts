/** Why a call did not work, told to the agent as its result. */
export class ToolError extends Error {
  readonly code: string
  constructor(message: string, code = 'VALIDATION_ERROR') {
    super(message)
    this.code = code
  }
}
