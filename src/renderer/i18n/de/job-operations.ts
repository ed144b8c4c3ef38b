/** What was done with job templates, jobs, and job runs; the part of `operations.ts` that is about them. */
export const jobOperationTexts: Readonly<Record<string, { name: string; summary?: string }>> = {
  createJobTemplate: {
    name: 'Job-Vorlage erstellen',
    summary: 'Eine Job-Vorlage erstellen; Name und Beschreibung kommen aus dem YAML',
  },
  updateJobTemplate: {
    name: 'Job-Vorlage speichern',
    summary: 'Eine Job-Vorlage speichern; eine Änderung macht eine neue Version, keine Änderung macht keine',
  },
  tagJobTemplate: {
    name: 'Schlagwörter einer Job-Vorlage ändern',
    summary:
      'Schlagwörter einer Job-Vorlage hinzufügen und entfernen; die anderen bleiben, und es entsteht keine neue Version',
  },
  archiveJobTemplate: {
    name: 'Job-Vorlage archivieren',
    summary: 'Eine Job-Vorlage archivieren; ihre Jobs bleiben, wie sie sind',
  },
  restoreJobTemplate: {
    name: 'Job-Vorlage wiederherstellen',
    summary: 'Eine archivierte Job-Vorlage wiederherstellen',
  },
  restoreJobTemplateVersion: {
    name: 'Version einer Job-Vorlage wiederherstellen',
    summary: 'Eine frühere Version als neue Version wieder gelten lassen',
  },
  createJob: {
    name: 'Job erstellen',
    summary: 'Einen Job erstellen: Konnektoren zuordnen, Snapshot des YAML machen, Versionen der Aufgaben festlegen',
  },
  updateJob: {
    name: 'Job ändern',
    summary: 'Name, Beschreibung, Zuordnungen oder Parameter ändern; laufende Job-Läufe behalten ihre',
  },
  archiveJob: {
    name: 'Job archivieren',
    summary: 'Einen Job archivieren: Nichts startet ihn mehr; laufende Job-Läufe gehen zu Ende',
  },
  restoreJob: {
    name: 'Job wiederherstellen',
    summary: 'Einen archivierten Job wiederherstellen; seine Auslöser lösen ab jetzt wieder aus',
  },
  setJobTaskOverride: {
    name: 'Überschreibung setzen',
    summary:
      'Für eine Aufgabe eigenes YAML des Jobs ausführen; es muss zu Zuordnungen und Argumenten der Vorlage passen',
  },
  deleteJobTaskOverride: { name: 'Überschreibung entfernen', summary: 'Wieder die festgelegte Version ausführen' },
  upgradeJob: {
    name: 'Job aktualisieren',
    summary: 'Die neuesten Versionen von Vorlage und Aufgaben übernehmen; `dry_run` zeigt nur den Unterschied',
  },
  runJob: { name: 'Job ausführen', summary: 'Einen Job-Lauf starten' },
  backfillJob: {
    name: 'Job nachholen',
    summary:
      'Ein Job-Lauf für jedes Bezugsdatum eines Zeitraums, die ältesten zuerst, höchstens `max_parallel` zugleich',
  },
  pauseJobRun: {
    name: 'Job-Lauf pausieren',
    summary:
      'Nichts Neues starten; laufende Aufgaben gehen zu Ende, oder sie werden angehalten und beim Fortsetzen wiederholt',
  },
  resumeJobRun: {
    name: 'Job-Lauf fortsetzen',
    summary:
      'Einen pausierten oder fehlgeschlagenen Job-Lauf fortsetzen: Erledigtes wird übersprungen, wartende Freigaben öffnen sich',
  },
  cancelJobRun: {
    name: 'Job-Lauf abbrechen',
    summary: 'Einen Job-Lauf abbrechen: Laufende Aufgaben werden angehalten, nichts Neues beginnt',
  },
  decideGate: { name: 'Über eine Freigabe entscheiden', summary: 'Eine wartende Freigabe erteilen oder ablehnen' },
  rerunJobRun: {
    name: 'Job-Lauf wiederholen',
    summary:
      'Ein neuer Job-Lauf ab einigen Aufgaben, auf demselben Snapshot; was davor liegt, gilt mit seinen Ausgaben weiter',
  },
}
