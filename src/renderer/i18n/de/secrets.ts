import type { secrets as english } from '../en/secrets.ts'
import type { Translation } from '../translation.ts'

export const secrets: Translation<typeof english> = {
  lead: 'Passwörter von Konnektoren, Geheimnisse der Zwei-Faktor-Authentifizierung und API-Schlüssel von KI-Anbietern sind verschlüsselt gespeichert. Der Verschlüsselungsschlüssel ist weder im Speicher noch in einer Sicherung.',
  place: 'Ort des Schlüssels',
  places: {
    keychain: 'Schlüsselbund des Benutzers, der Headgate ausführt',
    file: 'Datei im Datenordner, lesbar nur für den Benutzer des Servers',
  },
  file: 'Schlüsseldatei',
  keyId: 'Schlüssel-ID',
  sealed: 'Gespeicherte Geheimnisse',
  sealedCount_zero: 'Keine',
  sealedCount_one: '{{count, number}} Geheimnis',
  sealedCount_other: '{{count, number}} Geheimnisse',
  rotate: 'Verschlüsselungsschlüssel wechseln …',
  rotateDo: 'Schlüssel wechseln',
  rotateTitle: 'Verschlüsselungsschlüssel wechseln?',
  rotateText_zero: 'Noch sind keine Geheimnisse gespeichert. Neue verwenden den neuen Schlüssel.',
  rotateText_one:
    '{{count, number}} Geheimnis wird mit einem neuen Schlüssel verschlüsselt. Vorhandene Sicherungen brauchen weiterhin den alten Schlüssel.',
  rotateText_other:
    'Alle {{count, number}} Geheimnisse werden mit einem neuen Schlüssel verschlüsselt. Vorhandene Sicherungen brauchen weiterhin den alten Schlüssel.',
  rotated_zero: 'Schlüssel gewechselt. Der neue Schlüssel ist {{id}}.',
  rotated_one: 'Schlüssel gewechselt. {{count, number}} Geheimnis ist jetzt mit Schlüssel {{id}} verschlüsselt.',
  rotated_other: 'Schlüssel gewechselt. {{count, number}} Geheimnisse sind jetzt mit Schlüssel {{id}} verschlüsselt.',
  lostTitle_one: '{{count, number}} Eintrag hat Geheimnisse, die sich nicht entschlüsseln lassen',
  lostTitle_other: '{{count, number}} Einträge haben Geheimnisse, die sich nicht entschlüsseln lassen',
  lostText: 'Ihr Verschlüsselungsschlüssel fehlt. Stellen Sie ihn wieder her oder geben Sie die Geheimnisse neu ein.',
  kinds: {
    connector: 'Konnektor',
    notification: 'Benachrichtigung',
    totp: 'Zwei-Faktor-Authentifizierung von',
    setting: 'Einstellung',
  },
  enrolAgain: 'Ein Administrator muss sie zurücksetzen, dann lässt sie sich neu einrichten.',
}
