import type { storeCare as english } from '../en/store-care.ts'
import type { Translation } from '../translation.ts'

export const storeCare: Translation<typeof english> = {
  size: 'Speicher',
  unused: 'Darin ungenutzt',
  free: 'Frei auf dem Datenträger',
  unknown: 'unbekannt',
  notWritable: 'Nichts kann gespeichert werden.',
  notWritableText: 'Lesen geht weiter; Speichern geht von selbst wieder, sobald die Ursache weg ist.',
  tables: 'Was ihn füllt',
  tablesCaption: 'Tabellen nach Größe, mit ihren Indizes',
  unusedRow: 'Ungenutzter Platz',
  allTables: 'Alle {{count, number}} zeigen',
  fewer: 'Die größten zeigen',
  vacuum: 'Ungenutzten Platz zurückgeben',
  vacuumText:
    'Platz von Entferntem wird zuerst wiederverwendet. Die Rückgabe an den Datenträger läuft in kleinen Schritten neben der Arbeit.',
  vacuumed: '{{bytes}} an den Datenträger zurückgegeben; der Speicher hat jetzt {{now}}',
  retention: 'Was von selbst entfernt wird',
  clean: 'Jetzt aufräumen',
  cleaned: 'Entfernt: {{what}}',
  lastClean: 'Zuletzt durchgesehen:',
  notYet: 'noch nicht',
  removedSoFar: 'Seit dem Start des Servers: {{what}}.',
  removed: {
    nothing: 'nichts',
    runs_one: '{{count, number}} Lauf',
    runs_other: '{{count, number}} Läufe',
    job_runs_one: '{{count, number}} Job-Lauf',
    job_runs_other: '{{count, number}} Job-Läufe',
    log_lines_one: '{{count, number}} Protokollzeile',
    log_lines_other: '{{count, number}} Protokollzeilen',
    rejects_one: '{{count, number}} abgewiesene Zeile',
    rejects_other: '{{count, number}} abgewiesene Zeilen',
    deliveries_one: '{{count, number}} Zustellung',
    deliveries_other: '{{count, number}} Zustellungen',
  },
}
