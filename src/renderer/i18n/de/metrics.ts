import type { Translation } from '../translation.ts'
import type { metrics as english } from '../en/metrics.ts'

export const metrics: Translation<typeof english> = {
  title: 'Metriken',
  period: 'Zeitraum',
  periods: { '24h': '24 Stunden', '7d': '7 Tage', '30d': '30 Tage', '90d': '90 Tage' },
  task: 'Aufgabe',
  anyTask: 'Alle Aufgaben',
  noTask: 'Keine passenden Aufgaben',
  job: 'Job',
  anyJob: 'Alle Jobs',
  noJob: 'Keine passenden Jobs',
  figures: {
    label: 'Verglichen mit dem Zeitraum davor',
    success_rate: 'Erfolgsquote',
    runs: 'Läufe',
    failed_runs: 'Fehlschläge',
    duration_p95: 'Dauer p95',
    queue_delay_p95: 'Wartezeit p95',
    rows: 'Zeilen',
    rejects: 'Abgewiesene Zeilen',
  },
  none: 'Keine Läufe',
  before: '{{change}} · davor: {{value}}',
  same: 'davor: {{value}}',
  nothingBefore: 'Keine Läufe im Zeitraum davor',
  points: '{{value}} Punkte',
  charts: {
    runs: 'Läufe nach Status',
    duration: 'Dauer',
    delay: 'Wartezeit',
    rows: 'Zeilen',
    written: 'Geschrieben',
    rejected: 'Abgewiesen',
  },
  tasks: {
    slowest: 'Langsamste Aufgaben (p95)',
    failing: 'Meiste fehlgeschlagene Läufe',
    load: 'Auslastung der Executors',
  },
  nothing: { slowest: 'Keine Läufe', failing: 'Keine fehlgeschlagenen Läufe', load: 'Keine Läufe' },
  load: '{{busy}} beschäftigt',
  regressions: {
    title: 'Langsamer als sonst',
    text: 'p95 der letzten 7 Tage: {{now}}. In den 28 Tagen davor: {{before}}.',
    times: '{{times}}×',
  },
  empty: {
    title: 'Keine Läufe in diesem Zeitraum',
    text: 'Zahlen erscheinen, wenn Läufe enden. Sie bleiben, auch wenn die Läufe selbst entfernt werden.',
  },
}
