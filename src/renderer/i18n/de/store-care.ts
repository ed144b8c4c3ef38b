import type { storeCare as english } from '../en/store-care.ts'
import type { Translation } from '../translation.ts'

export const storeCare: Translation<typeof english> = {
  size: 'Größe der Datenbank',
  unused: 'Ungenutzter Platz',
  free: 'Frei auf dem Datenträger',
  notWritable: 'Änderungen können nicht gespeichert werden.',
  notWritableText: 'Lesen geht weiterhin. Speichern geht automatisch wieder, sobald das Problem behoben ist.',
  tables: 'Belegung',
  tablesCaption: 'Tabellen nach Größe, einschließlich Indizes',
  unusedRow: 'Ungenutzter Platz',
  logRow: 'Änderungsprotokoll',
  allTables: 'Alle {{count, number}} zeigen',
  fewer: 'Nur die größten zeigen',
  vacuum: 'Platz freigeben',
  vacuumText:
    'Interne Tabellen des Speichers, nach Größe. Platz freigeben gibt ungenutzten Platz in kleinen Schritten an den Datenträger zurück, während die Arbeit weitergeht.',
  vacuumed: '{{bytes}} freigegeben. Die Datenbank hat jetzt {{now}}.',
  retention: 'Aufbewahrung',
  clean: 'Jetzt aufräumen',
  cleaned: 'Entfernt: {{what}}',
  notCleaned: 'Seit dem Start des Servers noch nicht aufgeräumt.',
  lastClean: 'Zuletzt aufgeräumt:',
  removedSoFar: 'Seit dem Start des Servers entfernt: {{what}}',
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
