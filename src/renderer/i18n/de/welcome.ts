import type { welcome as english } from '../en/welcome.ts'
import type { Translation } from '../translation.ts'

export const welcome: Translation<typeof english> = {
  title: 'Ihr Konto ist bereit, {{name}}',
  text: 'Es hat vollen Zugriff. Erstellen Sie Konten für andere unter „Benutzer“.',
  data: 'Datenordner',
  dataText: 'Konten, Aufgaben, Läufe und Protokolle sind nur in diesem Ordner gespeichert.',
  show: 'Im Dateimanager zeigen',
  copy: 'Pfad kopieren',
  start: 'Erste Schritte',
  demo: 'Demo-Arbeitsbereich erstellen',
  demoText:
    'Der Demo-Arbeitsbereich enthält eine SQLite-Datei mit Beispielbestellungen, drei Aufgaben und einen Job, der sie jeden Morgen ausführt. Der Job läuft sofort einmal.',
  empty: 'Ohne Demo beginnen',
  steps: {
    connector: 'Konnektor zu {{path}}',
    tasks: 'Drei Aufgaben',
    job: 'Job-Vorlage, Job und Auslöser',
    run: 'Erster Job-Lauf',
  },
  done: 'Demo-Arbeitsbereich erstellt. Sein Job läuft.',
  again: 'Noch einmal versuchen',
  state: { done: 'Erledigt', doing: 'In Arbeit', waiting: 'Nicht begonnen', failed: 'Fehlgeschlagen' },
  firstSteps: 'Oder einen Demo-Arbeitsbereich ansehen',
}
