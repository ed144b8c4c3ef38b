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
    action: 'Aktion',
  },
  showGone: 'Offline-Executors zeigen',
  empty: {
    title: 'Noch keine Executors',
    text: 'Starten Sie mit dem Befehl unten einen Executor, auf diesem oder einem anderen Rechner.',
  },
  goneTitle: 'Keine Executors online',
  goneText:
    'Läufe bleiben eingereiht, bis einer online ist. Die App startet ihren Executor automatisch neu. Starten Sie einen weiteren mit:',
  command: 'npm run executor -- --url {{url}} --name second --slots 4',
  commandHint: 'Setzen Sie zuerst SVC_EXECUTOR_KEY auf den Executor-Schlüssel.',
  copyCommand: 'Befehl kopieren',
  drain: 'Stilllegen',
  drainTitle: '{{name}} stilllegen?',
  drainText:
    'Er beendet seine aktiven Läufe ({{busy}}) und nimmt keine neuen an. Starten Sie ihn neu, um ihn wieder zu verwenden.',
  drained: '{{name}} wird stillgelegt',
  free: 'frei',
}
