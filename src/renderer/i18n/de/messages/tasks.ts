import type { Words } from '../../translate.ts'

export const tasks: Words = {
  task_has_errors: 'Die Aufgabe enthält Fehler',
  task_archived: 'Die Aufgabe <name> ist archiviert: zum Ausführen aus dem Archiv holen.',
  task_version_has_errors: 'Diese Version der Aufgabe enthält Fehler: öffnen, beheben und speichern.',
  task_version_gone: 'Version <version> der Aufgabe <name> gibt es nicht mehr.',
  task_reads_nothing: 'Die Aufgabe liest aus keinem Konnektor',
  slot_takes_no: 'Der Platz <slots> nimmt keinen Konnektor für <type>',
  run_ended: 'Lauf #<id> hat schon geendet: <status>.',
  run_not_ended: 'Lauf #<id> ist noch nicht zu Ende (<status>): abbrechen oder das Ende abwarten.',
  run_of_job_run: 'Lauf #<id> gehört zum Job-Lauf #<run>: den Job-Lauf fortsetzen oder wiederholen.',
  run_removed: 'Lauf #<id> wurde entfernt: retention.runs_days und retention.runs_max sagen, wie lange Läufe bleiben.',
  job_run_removed:
    'Job-Lauf #<id> wurde entfernt: retention.runs_days und retention.runs_max sagen, wie lange Läufe bleiben.',
  log_lines_missing:
    'Die Zeilen <from> bis <to> des Protokolls von Lauf #<id> fehlen: retention.logs_days und retention.logs_mb sagen, wie lange Protokolle bleiben.',
  not_a_reject_of_run: 'ist keine ID einer aufbewahrten abgewiesenen Zeile von Lauf #<run>',
}
