import { msg } from '../../contract/messages.ts'
import { type LookupAddress, lookup } from 'node:dns'
import { type LookupFunction, isIP } from 'node:net'
import { type AddressKind, isMetadataName, kindOfAddress } from '../../process/network-address.ts'

type Reach = 'public' | 'local' | 'never'

/** Nothing that the server sends to has an address that is only valid on its own cable. */
const reaches = {
  public: 'public',
  private: 'local',
  unspecified: 'local',
  link_local: 'never',
  metadata: 'never',
  none: 'never',
} as const satisfies Record<AddressKind, Reach>

const reachOf = (address: string): Reach => reaches[kindOfAddress(address)]

/** Whether an address says itself that it leads to this machine or the local network. */
export function namesLocal(url: URL): boolean {
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return reachOf(host) === 'local'
  return !host.includes('.') || /\.(?:localhost|local|lan|internal|home\.arpa)$/.test(host)
}

export class ForbiddenAddress extends Error {
  constructor() {
    super(msg('receiver_address_refused').message)
  }
}

/** Looks a name up for the very connection that uses it: no second answer can slip in between. */
export function guardedLookup(allowsLocal: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '')
      const refused = addresses.some(({ address }) => isRefused(address, allowsLocal))
      if (refused || addresses.length === 0) return callback(new ForbiddenAddress(), '')
      if (options.all) return callback(null, addresses)
      const [first] = addresses
      callback(null, first?.address ?? '', first?.family)
    })
  }
}

/** Refuses an address that is written as such, which nothing looks up, and the names of what is never meant. */
export function refuseWritten(host: string, allowsLocal: boolean): void {
  const address = host.replaceAll(/^\[|\]$/g, '')
  if (isMetadataName(address) || (isIP(address) !== 0 && isRefused(address, allowsLocal))) throw new ForbiddenAddress()
}

/** Whether an address is written as one that nothing may be sent to. */
export function isNever({ hostname }: URL): boolean {
  try {
    refuseWritten(hostname, true)
    return false
  } catch {
    return true
  }
}

function isRefused(address: string, allowsLocal: boolean): boolean {
  const reach = reachOf(address)
  return reach === 'never' || (reach === 'local' && !allowsLocal)
}
