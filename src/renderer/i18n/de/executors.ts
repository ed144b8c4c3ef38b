import type { executors as english } from '../en/executors.ts'
import type { Translation } from '../translation.ts'

export const executors: Translation<typeof english> = {
  title: 'Executors',
  count_one: '{{count, number}} Executor',
  count_other: '{{count, number}} Executors',
  slots: '{{busy}} von {{slots}} Plätzen belegt',
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
  showGone: 'Auch verschwundene zeigen',
  empty: {
    title: 'Noch hat sich kein Executor angemeldet',
    text: 'Executors führen die Aufgaben aus. Einer startet mit der App; weitere kommen auf diesem oder einem anderen Rechner mit dem Befehl unten dazu.',
  },
  goneTitle: 'Kein Executor ist online',
  goneText:
    'Läufe warten, bis einer wieder da ist. Die App startet ihren eigenen von selbst; ein weiterer startet mit:',
  command: 'npm run executor -- --url {{url}} --name second --slots 4',
  commandHint: 'Der Schlüssel wird aus SVC_EXECUTOR_KEY gelesen.',
  copyCommand: 'Befehl kopieren',
  drain: 'Stilllegen',
  drainTitle: '{{name}} stilllegen?',
  drainText: 'Er beendet, was er ausführt (gerade {{busy}}), und nimmt nichts Neues an. Ein Neustart holt ihn zurück.',
  drained: '{{name}} nimmt keine neuen Läufe an',
  free: 'frei',
}
