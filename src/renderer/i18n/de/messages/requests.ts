import type { Words } from '../../translate.ts'

export const requests: Words = {
  host_not_served:
    'Der Host "<host>" wird hier nicht bedient. Verwenden Sie <address>, oder nehmen Sie den Namen in server.allowed_hosts auf.',
  headgate_ending: 'Headgate wird beendet. Versuchen Sie es nach dem Neustart noch einmal.',
  other_site: 'Anfragen von Seiten anderer Herkunft werden abgelehnt.',
  other_origin: 'Anfragen von Seiten anderer Herkunft werden abgelehnt.',
  scope_lacking: 'Diesem API-Schlüssel fehlt die Berechtigung <scope>.',
  role_too_low: 'Ihre Rolle (<role>) erlaubt das nicht: Nötig ist <wanted>.',
  already_there: 'Diesen Namen gibt es schon. Wählen Sie einen anderen Namen.',
  changed_since_read: 'Inzwischen wurde das geändert. Laden Sie die Seite neu, und wiederholen Sie die Änderung.',
  access_changed: 'Ihre Rechte haben sich inzwischen geändert. Versuchen Sie es noch einmal.',
  too_many_elements: 'enthält mehr als <most> Werte',
  too_many_levels: 'enthält Listen und Objekte, die auf mehr als <most> Ebenen ineinander liegen',
  disk_full: 'Der Datenträger ist voll: Nichts wurde gespeichert. Schaffen Sie Platz; lesen geht inzwischen weiter.',
  database_damaged:
    'Die Datenbank ist beschädigt: Nichts wurde gespeichert. Starten Sie den Server neu: Er bietet die letzte gute Sicherung an.',
  store_unwritable:
    'In den Datenordner lässt sich nicht schreiben: Nichts wurde gespeichert. Prüfen Sie Datenträger und Rechte.',
  server_ending: 'Der Server wird beendet.',
  server_ending_try: 'Der Server wird beendet. Versuchen Sie es noch einmal.',
  json_ends: 'ist kein gültiges JSON: Der Text endet, wo <expected> erwartet wurde',
  json_unexpected: 'ist kein gültiges JSON: "<found>" steht, wo <expected> erwartet wurde',
  store_moved:
    'Die Datenbankdatei (headgate.db oder headgate.db-wal) wurde verschoben, ersetzt, gekürzt oder entfernt, während der Server lief. Nichts wurde gespeichert. Legen Sie die Datei zurück, oder starten Sie den Server neu.',
}
