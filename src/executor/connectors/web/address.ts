import ipaddr from 'ipaddr.js'
import { lookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { EngineError } from '../../engine/errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/**
 * Which addresses a task may make this machine connect to. The address that is checked is the one that is connected to: names are
 * looked up by the connection itself, through `guardedLookup`, so that no second answer of the DNS can slip in between.
 */

/** Where clouds give out the credentials of the machine; also under the names that they have there. */
const metadataAddresses = new Set(
  [
    '169.254.169.254', // AWS, Azure, Google, OpenStack, DigitalOcean …
    '169.254.170.2', // AWS ECS
    '169.254.170.23', // AWS EKS
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254', // Google
    '100.100.100.200', // Alibaba
    '192.0.0.192', // Oracle
    '168.63.129.16', // Azure's host
  ].map((address) => ipaddr.parse(address).toNormalizedString()),
)
const metadataNames = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
])

/** Never the address of a server, whatever is allowed. */
const impossible = new Set(['multicast', 'broadcast', 'unspecified'])

export type Allowance = 'allowed' | 'private' | 'never'

/** An address as it is written, IPv4 or IPv6; IPv4 inside IPv6 counts as what it is. */
export function allowanceOf(written: string): Allowance {
  if (!ipaddr.isValid(written)) return 'never'
  const address = ipaddr.process(written)
  const embedded = embeddedIpv4(address)
  if (embedded !== null && allowanceOf(embedded) !== 'allowed') return allowanceOf(embedded)
  const range = address.range()
  if (metadataAddresses.has(withoutZone(address)) || impossible.has(range)) return 'never'
  return range === 'unicast' || (embedded !== null && range === 'rfc6052') ? 'allowed' : 'private'
}

function withoutZone(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  return address.toNormalizedString().replace(/%.*$/, '')
}

/** The IPv4 address that a translator on the way would connect to: NAT64, 6to4, IPv4-compatible and the like. */
function embeddedIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): string | null {
  if (address instanceof ipaddr.IPv4) return null
  const bytes = address.toByteArray()
  const at = (from: number): string => bytes.slice(from, from + 4).join('.')
  const range = address.range()
  if (range === 'rfc6052' || range === 'rfc6145') return at(12)
  if (range === '6to4') return at(2)
  const compatible = bytes.slice(0, 12).every((byte) => byte === 0) && (bytes[12] ?? 0) !== 0
  return compatible ? at(12) : null
}

/** Refuses a host that no lookup is needed for, before anything is connected. */
export function checkHost(hostname: string, allowPrivate: boolean): void {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  if (metadataNames.has(host)) throw refused(host, host, 'never')
  if (isIP(host) !== 0) checkAddress(host, host, allowPrivate)
}

export function checkAddress(address: string, host: string, allowPrivate: boolean): void {
  const allowance = allowanceOf(address)
  if (allowance === 'allowed' || (allowance === 'private' && allowPrivate)) return
  throw refused(address, host, allowance)
}

function refused(address: string, host: string, allowance: Allowance): EngineError {
  const where = host === address ? address : `${host} (${address})`
  if (allowance === 'private') {
    return new EngineError('ADDRESS_NOT_ALLOWED', runMessage('address_private', { where }), {
      hint: runMessage('address_private_fix'),
    })
  }
  return new EngineError('ADDRESS_NOT_ALLOWED', runMessage('address_never', { where }), {
    hint: runMessage('address_never_fix'),
  })
}

/** Looks a name up and refuses it when any of its addresses is not allowed. For `net.connect`. */
export function guardedLookup(allowPrivate: boolean): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, [])
      try {
        for (const { address } of found) checkAddress(address, host, allowPrivate)
      } catch (refusal) {
        return callback(refusal as NodeJS.ErrnoException, []) // an Error is all that the connection needs
      }
      const [first] = found
      if (!first) return callback(Object.assign(new Error(`No address for ${host}`), { code: 'ENOTFOUND' }), [])
      return options.all ? callback(null, found) : callback(null, first.address, first.family)
    })
  }
}
