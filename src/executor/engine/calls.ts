import type { CallError, CallIo, CallResult, CallWork } from '../worker-protocol.ts'

/** A failure of a call that its caller is to read. */
export class CallFailure extends Error {
  readonly code: CallError['code']
  readonly details: NonNullable<CallError['details']>

  constructor(code: CallError['code'], message: string, details: NonNullable<CallError['details']> = []) {
    super(message)
    this.name = 'CallFailure'
    this.code = code
    this.details = details
  }
}

/** Interactive work: preview of a task, test and resources of a connector. Throws `CallFailure`. */
export async function runCall(work: CallWork, _io: CallIo): Promise<CallResult> {
  throw new CallFailure('INTERNAL_ERROR', `The engine is not part of this build: ${work.kind}`)
}
