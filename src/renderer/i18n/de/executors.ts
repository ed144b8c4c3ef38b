import type { executors as english } from '../en/executors.ts'
import type { Translation } from '../translation.ts'

export const executors: Translation<typeof english> = {
  title: 'Executors',
  count_one: '{{count, number}} Executor',
  count_other: '{{count, number}} Executors',
  slots: '{{busy}} von {{slots}} Plätzen belegt',
  notAnswering: 'Getrennt',
  columns: {
    name: 'Name',
    status: 'Status',
    busy: 'Belegt',
    slots: 'Plätze',
    labels: 'Etiketten',
    version: 'Version',
    address: 'Adresse',
    heartbeat: 'Lebenszeichen',
    since: 'Angemeldet',
    running: 'Läuft',
    load: 'Auslastung (1\u00a0h)',
  },
  showGone: 'Offline-Executors zeigen',
  empty: {
    title: 'Noch keine Executors',
    text: 'Starten Sie mit dem Befehl unten einen Executor, auf diesem oder einem anderen Computer.',
  },
  goneTitle: 'Keine Executors online',
  goneText:
    'Läufe bleiben eingereiht, bis einer online ist. Die App startet ihren Executor automatisch neu. Starten Sie einen weiteren mit:',
  start: 'Executor hinzufügen …',
  startTitle: 'Executor hinzufügen',
  startText:
    'Verwenden Sie in `SVC_EXECUTOR_KEY` für den Server und den neuen Executor dasselbe Geheimnis. Führen Sie dann diesen Befehl im Ordner mit dem Quellcode von Headgate aus. Der Executor erscheint in der Liste.',
  startElsewhere:
    'Ersetzen Sie auf einem anderen Computer die Adresse durch eine, unter der dieser Server über TLS oder einen Tunnel erreichbar ist.',
  startDocs: 'Executors einrichten',
  command: 'npm run executor -- --url {{url}} --name second --slots 4',
  commandHint: 'Geben Sie zuerst in `SVC_EXECUTOR_KEY` den Executor-Schlüssel des Servers an.',
  copyCommand: 'Befehl kopieren',
  drain: 'Stilllegen',
  drainTitle: '{{name}} stilllegen?',
  drainSeveral_one: '{{count}} Executor stilllegen?',
  drainSeveral_other: '{{count, number}} Executors stilllegen?',
  drainText_one:
    'Er beendet seine aktiven Läufe ({{busy}}) und nimmt keine neuen an. Starten Sie ihn neu, um ihn wieder zu verwenden.',
  drainText_other:
    'Sie beenden ihre aktiven Läufe ({{busy}}) und nehmen keine neuen an. Starten Sie sie neu, um sie wieder zu verwenden.',
  drained_one: '{{count}} Executor wird stillgelegt',
  drained_other: '{{count, number}} Executors werden stillgelegt',
  search: 'Executors suchen',
  copyName: 'Name kopieren',
  nameCopied: 'Name kopiert',
  loadHint: '{{average}} der Plätze waren in der letzten Stunde belegt',
  noMatch: { title: 'Kein Executor passt', text: 'Ändern Sie die Filter oder setzen Sie sie zurück.' },
}
