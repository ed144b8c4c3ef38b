import type { home as english } from '../en/home.ts'
import type { Translation } from '../translation.ts'

export const home: Translation<typeof english> = {
  title: 'Start',
  counts: {
    label: 'Läufe auf einen Blick',
    now: 'Jetzt',
    day: 'Letzte 24 Stunden',
  },
  failedJobs: {
    title: 'Fehlgeschlagene Job-Läufe der letzten 7 Tage',
    all: 'Alle fehlgeschlagenen Job-Läufe',
  },
  next: {
    title: 'Was als Nächstes kommt',
    all: 'Kalender',
    none: 'Kein Auslöser ist eingeschaltet.',
  },
  failed: {
    title: 'Fehlgeschlagene Läufe der letzten 7 Tage',
    none: 'In den letzten 7 Tagen ist nichts fehlgeschlagen.',
    all: 'Alle fehlgeschlagenen Läufe',
  },
  latest: {
    title: 'Letzte Läufe',
    all: 'Alle Läufe',
    none: 'Noch ist nichts gelaufen',
    notYours: 'Was andere starten, erscheint hier, sobald es geschieht. Zum Starten braucht es die Rolle „Bearbeiter“.',
    noneText: 'Eine Aufgabe öffnen und „Jetzt ausführen“ wählen; was sie tut, erscheint hier, sobald es geschieht.',
  },
  bars: 'Die letzten {{count}} Läufe, der neueste rechts; die Höhe ist die Dauer',
  columns: {
    jobRun: 'Job-Lauf',
    job: 'Job',
    task: 'Aufgabe',
    status: 'Status',
    started: 'Angelegt',
    duration: 'Dauer',
    rows: 'Zeilen',
    rejected: 'Abgewiesen',
    error: 'Fehler',
    run: 'Lauf',
  },
  executors: {
    title: 'Executors',
    all: 'Alle Executors',
    none: 'Kein Executor ist online: Läufe warten in der Schlange.',
    slots: '{{busy}} von {{slots}} Plätzen belegt',
  },
  quick: {
    title: 'Schnellzugriff',
    newTask: 'Neue Aufgabe',
    newConnector: 'Neuer Konnektor',
    open: 'Beliebiges öffnen …',
  },
  start: {
    title: 'Drei Schritte bis zum ersten Lauf',
    text: 'Ein Konnektor sagt, wo Daten sind. Eine Aufgabe, in YAML, sagt, was aus ihnen wird. Ein Lauf tut es und behält das Protokoll.',
    connector: 'Einen Ordner oder eine Datenbank anbinden',
    connectorText: 'Ein Ordner mit CSV-, JSON- oder Parquet-Dateien, eine SQLite-Datei oder PostgreSQL.',
    connectorAction: 'Neuer Konnektor',
    task: 'Eine Aufgabe schreiben',
    taskText:
      'Mit einem Beispiel beginnen: lesen, filtern, ableiten, prüfen, schreiben. Der Editor zeigt die Zeilen nach jedem Schritt.',
    taskAction: 'Neue Aufgabe',
    run: 'Ausführen',
    runText: 'Dem Protokoll live zusehen; Zeilen, die nicht durchkommen, werden mit dem Grund aufbewahrt.',
    runAction: 'Aufgaben öffnen',
    done: 'Erledigt',
  },
}
