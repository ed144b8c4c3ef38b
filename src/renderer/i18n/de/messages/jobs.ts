import type { Words } from '../../translate.ts'

export const jobs: Words = {
  template_has_errors: 'Die Job-Vorlage enthält Fehler',
  template_version_has_errors:
    'Version <version> der Job-Vorlage „<name>“ enthält Fehler: öffnen Sie sie, und beheben Sie die Fehler',
  template_no_version: 'Die Job-Vorlage hat keine Version <version>',
  template_archived_upgrade: 'Die Job-Vorlage „<name>“ ist archiviert: Stellen Sie sie zuerst wieder her.',
  template_archived_make:
    'Die Job-Vorlage „<name>“ ist archiviert: Stellen Sie sie wieder her, um Jobs daraus zu erstellen.',
  held_template_has_errors:
    'Die Vorlage dieses Jobs enthält in dieser Version der Sprache Fehler: Aktualisieren Sie den Job.',
  job_not_upgraded: 'So lässt sich der Job nicht aktualisieren',
  override_misfit: 'Das eigene YAML des Jobs für <key> passt nicht zur neuen Vorlage: entfernen Sie es zuerst',
  task_not_in_job: 'Der Job hat keine Aufgabe "<key>"',
  gate_has_no_task: '<key> ist eine Freigabe: Eine Aufgabe zum Ersetzen gibt es dort nicht',
  task_misfit: 'Die Aufgabe passt nicht zum Job',
  no_override: 'Der Job hat für "<key>" kein eigenes YAML',
  job_no_task: 'Der Job hat keine Aufgabe "<key>"',
  job_no_task_near: 'Der Job hat keine Aufgabe "<key>"; war <near> gemeint?',
  job_run_no_task: 'Der Job-Lauf hat keine Aufgabe "<key>"',
  job_run_no_task_near: 'Der Job-Lauf hat keine Aufgabe "<key>"; war <near> gemeint?',
  is_a_gate: '<key> ist eine Freigabe',
  gate_not_alone: '<key> ist eine Freigabe und lässt sich nicht allein ausführen',
  no_task_version: 'Der Job hat keine Version der Aufgabe „<key>“',
  parameter_unknown: 'Einen Parameter `<name>` gibt es nicht.',
  job_archived: 'Der Job „<name>“ ist archiviert: Stellen Sie ihn zum Ausführen wieder her.',
  job_archived_first: 'Der Job „<name>“ ist archiviert: Stellen Sie ihn zuerst wieder her.',
  job_run_overlaps: 'Job-Lauf #<id> dieses Jobs ist noch nicht zu Ende, und die Job-Vorlage sagt `on_overlap: skip`.',
  job_run_ended: 'Job-Lauf #<id> hat schon geendet: <status>.',
  job_run_not_running: 'Job-Lauf #<id> lässt sich nicht pausieren (<status>): Das geht nur, solange er läuft.',
  job_run_ending: 'Job-Lauf #<id> endet gleich: Er wartet nur noch auf Laufendes.',
  job_run_not_resumable:
    'Job-Lauf #<id> lässt sich nicht fortsetzen (<status>): Das geht nur bei pausierten und fehlgeschlagenen.',
  job_run_cancelling: 'Job-Lauf #<id> wird gerade abgebrochen.',
  job_run_in_the_way: 'Job-Lauf #<id> desselben Jobs ist noch nicht zu Ende (<status>). Setzen Sie diesen danach fort.',
  job_run_no_gate: 'Job-Lauf #<id> hat keine Freigabe "<key>"',
  gate_not_waiting: 'Die Freigabe <key> wartet auf keine Antwort: <status>.',
  job_run_open:
    'Job-Lauf #<id> ist noch nicht zu Ende (<status>): Pausieren Sie ihn, brechen Sie ihn ab, oder warten Sie sein Ende ab.',
  rerun_skips: '<key> würde übersprungen, weil das, wovon es abhängt, so endete: führen Sie auch das noch einmal aus',
  rerun_leaves: '<key> liefe nicht noch einmal: nennen Sie es in `from`, oder lassen Sie den Text weg',
  before_from: 'liegt vor `from`',
  too_many_dates: 'ergibt mehr als <most> Tage: holen Sie sie in mehreren Teilen nach',
}
