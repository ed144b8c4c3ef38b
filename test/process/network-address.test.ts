import { expect, test } from 'vitest'
import { type AddressKind, isMetadataName, kindOfAddress } from '../../src/process/network-address.ts'

test.each<[AddressKind, string[]]>([
  ['public', ['93.184.216.34', '2606:2800:220:1::1', '64:ff9b::5db8:d822', '::ffff:93.184.216.34']],
  [
    'private',
    [
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '::1',
      'fc00::1',
      '::ffff:10.0.0.1',
      '2002:0a00:0001::',
    ],
  ],
  ['link_local', ['169.254.1.1', 'fe80::1', 'fe80::1%eth0']],
  ['unspecified', ['0.0.0.0', '::']],
  [
    'metadata',
    [
      '169.254.169.254',
      '169.254.170.2',
      'fd00:ec2::254',
      'fd20:ce::254',
      '100.100.100.200',
      '192.0.0.192',
      '168.63.129.16',
    ],
  ],
  [
    'metadata',
    [
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '64:ff9b::169.254.169.254',
      '::169.254.169.254',
      '2002:a9fe:a9fe::',
      '2001:0:4136:e378:8000:63bf:5601:5601',
      'fe80::5efe:a9fe:a9fe',
      '2001:db8::200:5efe:169.254.169.254',
    ],
  ],
  ['none', ['224.0.0.1', '255.255.255.255', 'ff02::1', 'localhost', '']],
])('addresses that are %s are known in every form', (kind, addresses) => {
  for (const address of addresses) expect([address, kindOfAddress(address)]).toEqual([address, kind])
})

test('the names of metadata services are known in any case and with a dot at the end', () => {
  for (const name of ['metadata.google.internal', 'METADATA.google.internal.', 'instance-data'])
    expect(isMetadataName(name)).toBe(true)
  expect(isMetadataName('metadata.example.com')).toBe(false)
})
