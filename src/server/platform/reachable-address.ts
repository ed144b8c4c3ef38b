import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, type LookupFunction, isIP } from 'node:net'

/** Addresses of this machine and of local networks. */
const local = new BlockList()
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  local.addSubnet(address, bits, 'ipv4')
local.addAddress('::1', 'ipv6')
local.addSubnet('fc00::', 7, 'ipv6')
/** Where clouds give out credentials, and what is no server. */
const never = new BlockList()
for (const [address, bits] of [
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
  ['168.63.129.16', 32],
  ['224.0.0.0', 3],
] as const)
  never.addSubnet(address, bits, 'ipv4')
never.addSubnet('fe80::', 10, 'ipv6')
never.addSubnet('ff00::', 8, 'ipv6')
never.addSubnet('fd00:ec2::', 32, 'ipv6')
never.addSubnet('fd20:ce::', 32, 'ipv6')

export type Reach = 'public' | 'local' | 'never'

export function reachOf(address: string): Reach {
  // BlockList itself takes IPv4 inside IPv6 for what it is.
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(address) === 0 || never.check(address, family)) return 'never'
  return local.check(address, family) ? 'local' : 'public'
}

/** Whether an address says itself that it leads to this machine or the local network. */
export function namesLocal(url: URL): boolean {
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return reachOf(host) === 'local'
  return !host.includes('.') || /\.(?:localhost|local|lan|internal|home\.arpa)$/.test(host)
}

export class ForbiddenAddress extends Error {}

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

/** Refuses an address that is written as such, which nothing looks up. */
export function refuseWritten(host: string, allowsLocal: boolean): void {
  const address = host.replaceAll(/^\[|\]$/g, '')
  if (isIP(address) !== 0 && isRefused(address, allowsLocal)) throw new ForbiddenAddress()
}

function isRefused(address: string, allowsLocal: boolean): boolean {
  const reach = reachOf(address)
  return reach === 'never' || (reach === 'local' && !allowsLocal)
}
