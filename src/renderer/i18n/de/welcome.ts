import type { welcome as english } from '../en/welcome.ts'
import type { Translation } from '../translation.ts'

export const welcome: Translation<typeof english> = {
  title: 'Ihr Konto ist bereit, {{name}}',
  text: 'Es verwaltet hier alles. Andere bekommen eigene Konten unter „Benutzer“.',
  data: 'Wo die Daten liegen',
  dataText: 'Konten, Aufgaben, Läufe und ihre Protokolle sind in diesem Ordner und nirgends sonst.',
  show: 'Im Dateimanager zeigen',
  copy: 'Pfad kopieren',
  start: 'Wie es losgeht',
  demo: 'Demo-Arbeitsbereich anlegen',
  demoText:
    'Eine SQLite-Datei mit erfundenen Bestellungen, drei Aufgaben und ein Job, der sie jeden Morgen ausführt. Er läuft gleich einmal, damit es etwas zu sehen gibt.',
  empty: 'Leer beginnen',
  steps: {
    connector: 'Konnektor zu {{path}}',
    tasks: 'Drei Aufgaben',
    job: 'Job-Vorlage, Job und Auslöser',
    run: 'Der erste Lauf des Jobs',
  },
  done: 'Der Demo-Arbeitsbereich ist angelegt: Sein Job läuft jetzt.',
  again: 'Noch einmal versuchen',
  state: { done: 'Erledigt', doing: 'Im Gang', waiting: 'Kommt noch', failed: 'Fehlgeschlagen' },
  firstSteps: 'Oder etwas ansehen, das schon läuft',
}
