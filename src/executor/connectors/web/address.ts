import { lookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { type AddressKind, isMetadataName, kindOfAddress } from '../../../process/network-address.ts'
import { EngineError } from '../../engine/errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/**
 * Which addresses a task may make this machine connect to. The address that is checked is the one that is connected to: names are
 * looked up by the connection itself, through `guardedLookup`, so that no second answer of the DNS can slip in between.
 */

type Allowance = 'allowed' | 'private' | 'never'

const allowances = {
  public: 'allowed',
  private: 'private',
  link_local: 'private',
  unspecified: 'never',
  metadata: 'never',
  none: 'never',
} as const satisfies Record<AddressKind, Allowance>

/**
 * What may be reached in private networks: anything, nothing, or these hosts. A connector that may go there means its own server; what
 * that server redirects to is not its choice (0162).
 */
type PrivateReach = boolean | ReadonlySet<string>

/** Hosts of these addresses, as `PrivateReach` has them. */
export const hostsOf = (...addresses: (string | undefined)[]): ReadonlySet<string> =>
  new Set(
    addresses.flatMap((address) => (URL.canParse(address ?? '') ? [nameOf(new URL(address ?? '').hostname)] : [])),
  )

const nameOf = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

/** Refuses a host that no lookup is needed for, before anything is connected. */
export function checkHost(hostname: string, reach: PrivateReach): void {
  const host = nameOf(hostname)
  if (isMetadataName(host)) throw refused(host, host, 'never', reach)
  if (isIP(host) !== 0) checkAddress(host, host, reach)
}

export function checkAddress(address: string, host: string, reach: PrivateReach): void {
  const allowance = allowances[kindOfAddress(address)]
  const isWithin = typeof reach === 'boolean' ? reach : reach.has(nameOf(host))
  if (allowance === 'allowed' || (allowance === 'private' && isWithin)) return
  throw refused(address, host, allowance, reach)
}

function refused(address: string, host: string, allowance: Allowance, reach: PrivateReach): EngineError {
  const where = host === address ? address : `${host} (${address})`
  if (allowance === 'private') {
    return new EngineError('ADDRESS_NOT_ALLOWED', runMessage('address_private', { where }), {
      hint: reach === false ? runMessage('address_private_fix') : runMessage('address_redirected_fix'),
    })
  }
  return new EngineError('ADDRESS_NOT_ALLOWED', runMessage('address_never', { where }), {
    hint: runMessage('address_never_fix'),
  })
}

/** Looks a name up and refuses it when any of its addresses is not allowed. For `net.connect`. */
export function guardedLookup(reach: PrivateReach): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, [])
      try {
        for (const { address } of found) checkAddress(address, host, reach)
      } catch (refusal) {
        return callback(refusal as NodeJS.ErrnoException, []) // an Error is all that the connection needs
      }
      const [first] = found
      if (!first) return callback(Object.assign(new Error(`No address for ${host}`), { code: 'ENOTFOUND' }), [])
      return options.all ? callback(null, found) : callback(null, first.address, first.family)
    })
  }
}
