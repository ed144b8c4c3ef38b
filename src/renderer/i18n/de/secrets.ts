import type { secrets as english } from '../en/secrets.ts'
import type { Translation } from '../translation.ts'

export const secrets: Translation<typeof english> = {
  lead: 'Passwörter von Konnektoren, zweite Faktoren und Schlüssel anderer Dienste sind verschlüsselt gespeichert. Der Schlüssel ist weder im Speicher noch in einer Sicherung.',
  place: 'Der Schlüssel liegt in',
  places: {
    keychain: 'dem Schlüsselbund des Benutzers dieses Rechners',
    file: 'einer Datei im Datenordner, die nur der Benutzer des Servers lesen kann',
  },
  keyId: 'Schlüssel',
  sealed: 'Im Speicher',
  sealedCount_zero: 'noch kein Geheimnis',
  sealedCount_one: '{{count, number}} Geheimnis',
  sealedCount_other: '{{count, number}} Geheimnisse',
  rotate: 'Neuen Schlüssel erzeugen',
  rotateTitle: 'Neuen Schlüssel erzeugen?',
  rotateText_zero: 'Noch ist kein Geheimnis gespeichert. Künftige werden damit verschlüsselt.',
  rotateText_one:
    '{{count, number}} Geheimnis wird damit neu verschlüsselt, ganz oder gar nicht. Frühere Sicherungen brauchen weiterhin den alten Schlüssel.',
  rotateText_other:
    'Alle {{count, number}} Geheimnisse werden damit neu verschlüsselt, alle oder keines. Frühere Sicherungen brauchen weiterhin den alten Schlüssel.',
  rotated_zero: 'Der neue Schlüssel ist {{id}}',
  rotated_one: '{{count, number}} Geheimnis ist mit dem neuen Schlüssel {{id}} verschlüsselt',
  rotated_other: '{{count, number}} Geheimnisse sind mit dem neuen Schlüssel {{id}} verschlüsselt',
  lostTitle_one: '{{count, number}} Eintrag hat Geheimnisse, die sich nicht öffnen lassen',
  lostTitle_other: '{{count, number}} Einträge haben Geheimnisse, die sich nicht öffnen lassen',
  lostText:
    'Sie wurden mit einem Schlüssel verschlüsselt, der nicht hier ist. Den Schlüssel zurückbringen oder sie neu eingeben; alles andere ist, wie es war.',
  kinds: {
    connector: 'Konnektor',
    notification: 'Benachrichtigung',
    totp: 'Zweiter Faktor von',
    setting: 'Einstellung',
  },
  enrolAgain: 'Ein Administrator setzt ihn zurück, dann wird er neu eingerichtet.',
}
