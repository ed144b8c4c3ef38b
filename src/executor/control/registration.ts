import { executorProtocolVersion, registerExecutor } from '../../contract/executor-lifecycle.ts'
import type { BodyOf, ResultOf } from '../../contract/operation.ts'
import { pause, Refused, type ControlPlaneClient } from './control-plane-client.ts'
import type { Log } from '../log.ts'

export type Registration = ResultOf<typeof registerExecutor> & { sentAt: number }
export type Identity = Omit<BodyOf<typeof registerExecutor>, 'protocol'>

/** The control plane will not have us, whatever we try: the message says why and what to do. */
export class Rejected extends Error {}

const NAME_TAKEN = { retryMs: 500, giveUpMs: 90_000 }

/**
 * Registers, as long as it takes: an executor may be started before its control plane, or take over the name of one that
 * was killed, whose lease has to end first. Throws Rejected, or the signal's reason.
 */
export async function register(
  client: ControlPlaneClient,
  identity: Identity,
  log: Log,
  signal: AbortSignal,
): Promise<Registration> {
  const startedAt = performance.now()
  const warnOnce = once((message: string) => log.warn(message))
  for (;;) {
    const sentAt = performance.now()
    try {
      const answer = await client.call(registerExecutor, {
        body: { ...identity, protocol: executorProtocolVersion },
        signal,
      })
      return { ...answer, sentAt }
    } catch (error) {
      if (signal.aborted) throw error
      const waited = performance.now() - startedAt
      if (error instanceof Refused) {
        if (error.status !== 409 || waited > NAME_TAKEN.giveUpMs) throw rejected(error, identity.name)
        warnOnce(`Another executor is online as "${identity.name}": waiting for it to end. ${error.body.message}`)
      } else {
        warnOnce(`The control plane does not answer, trying again: ${(error as Error).message}`)
      }
      await pause(error instanceof Refused ? NAME_TAKEN.retryMs : Math.min(3_000, 100 + waited / 4), signal)
    }
  }
}

function rejected({ status, body }: Refused, name: string): Rejected {
  if (status === 401 || status === 403) {
    return new Rejected(
      'The control plane does not know this executor key: SVC_EXECUTOR_KEY must be the same on both sides.',
    )
  }
  if (status === 409) {
    return new Rejected(`Another executor is online as "${name}": end it, or give this one another --name.`)
  }
  const details = body.details?.map((detail) => `${detail.path}: ${detail.message}`).join('; ')
  return new Rejected(
    `The control plane refused the registration: ${body.message}${details ? ` (${details})` : ''}. ` +
      `This executor speaks protocol ${executorProtocolVersion}; install the same version of Headgate on both sides.`,
  )
}

function once<A extends unknown[]>(callback: (...args: A) => void): (...args: A) => void {
  let called = false
  return (...args) => {
    if (!called) callback(...args)
    called = true
  }
}
