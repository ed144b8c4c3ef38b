import ipaddr from 'ipaddr.js'

/** Where an address leads, however it is written. What server and executors let a request reach follows from it. */

export type AddressKind =
  | 'public'
  /** This machine, or a network around it. */
  | 'private'
  | 'link_local'
  /** 0.0.0.0 and ::, which systems take for this machine. */
  | 'unspecified'
  /** Where clouds give out the credentials of the machine. */
  | 'metadata'
  /** Not the address of one server. */
  | 'none'

const metadata = new Set(
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
/** Of the ranges that the library knows; those that are not here are private. */
const kinds: Readonly<Partial<Record<string, AddressKind>>> = {
  unicast: 'public',
  // The address inside is looked at first.
  rfc6052: 'public',
  linkLocal: 'link_local',
  unspecified: 'unspecified',
  multicast: 'none',
  broadcast: 'none',
}
const metadataNames = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
])

/** IPv4 inside IPv6 counts as what it is. */
export function kindOfAddress(written: string): AddressKind {
  if (!ipaddr.isValid(written)) return 'none'
  const address = ipaddr.process(written)
  const embedded = embeddedIpv4(address)
  const inside = embedded === null ? 'public' : kindOfAddress(embedded)
  if (inside !== 'public') return inside
  if (metadata.has(withoutZone(address))) return 'metadata'
  return kinds[address.range()] ?? 'private'
}

/** Whether a host has the name of such a service; the addresses behind other names are looked up. */
export const isMetadataName = (host: string): boolean => metadataNames.has(host.replace(/\.$/, '').toLowerCase())

function withoutZone(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  return address.toNormalizedString().replace(/%.*$/, '')
}

/** The IPv4 address that a translator on the way would connect to: NAT64, 6to4, Teredo, ISATAP, IPv4-compatible and the like. */
function embeddedIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): string | null {
  if (address instanceof ipaddr.IPv4) return null
  const bytes = address.toByteArray()
  const at = (from: number): string => bytes.slice(from, from + 4).join('.')
  const range = address.range()
  if (range === 'rfc6052' || range === 'rfc6145') return at(12)
  if (range === '6to4') return at(2)
  // Teredo writes the bits of the address the other way round.
  if (range === 'teredo')
    return bytes
      .slice(12)
      .map((byte) => 255 - byte)
      .join('.')
  const isIsatap = (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  if (isIsatap) return at(12)
  const compatible = bytes.slice(0, 12).every((byte) => byte === 0) && (bytes[12] ?? 0) !== 0
  return compatible ? at(12) : null
}
