export const secrets = {
  lead: 'Passwords of connectors, second factors and keys of other services are stored encrypted. The key is not in the store and in no backup.',
  place: 'The key is kept in',
  places: {
    keychain: 'the keychain of this computer’s user',
    file: 'a file in the data folder that only the server’s user can read',
  },
  keyId: 'Key',
  sealed: 'In the store',
  sealedCount_zero: 'no secret yet',
  sealedCount_one: '{{count, number}} secret',
  sealedCount_other: '{{count, number}} secrets',
  rotate: 'Make a new key',
  rotateTitle: 'Make a new key?',
  rotateText_zero: 'No secret is stored yet. Those to come are encrypted with it.',
  rotateText_one:
    '{{count, number}} secret is encrypted anew with it, all or none. Backups that were made before still need the old key.',
  rotateText_other:
    'All {{count, number}} secrets are encrypted anew with it, all or none. Backups that were made before still need the old key.',
  rotated_zero: 'The new key is {{id}}',
  rotated_one: '{{count, number}} secret is encrypted with the new key {{id}}',
  rotated_other: '{{count, number}} secrets are encrypted with the new key {{id}}',
  lostTitle_one: '{{count, number}} record has secrets that cannot be opened',
  lostTitle_other: '{{count, number}} records have secrets that cannot be opened',
  lostText:
    'They were encrypted with a key that is not here. Bring the key back, or enter them again; all else is as it was.',
  kinds: { connector: 'Connector', notification: 'Notification', totp: 'Second factor of', setting: 'Setting' },
  enrolAgain: 'An administrator resets it, and its owner enrols again.',
} as const
