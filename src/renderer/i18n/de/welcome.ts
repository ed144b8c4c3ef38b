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
  demo: 'Demodaten hinzufügen',
  demoText:
    'Die Demodaten fügen diesem Arbeitsbereich eine SQLite-Datei mit Beispielbestellungen, drei Aufgaben und einen Job hinzu. Der Job läuft jeden Morgen und einmal sofort.',
  empty: 'Ohne Demo beginnen',
  steps: {
    connector: 'Konnektor zu {{path}}',
    tasks: 'Drei Aufgaben',
    job: 'Job-Vorlage, Job und Auslöser',
    run: 'Erster Job-Lauf',
  },
  done: 'Demodaten hinzugefügt. Ihr Job läuft.',
  again: 'Noch einmal versuchen',
  state: { done: 'Erledigt', doing: 'In Arbeit', waiting: 'Nicht begonnen', failed: 'Fehlgeschlagen' },
  firstSteps: 'Oder Demodaten ansehen',
}
