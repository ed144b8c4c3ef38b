import type { Words } from '../../translate.ts'

export const tasks: Words = {
  task_has_errors: 'Die Aufgabe enthält Fehler',
  readings_under_way: 'Der Server liest noch anderes langes YAML. Versuchen Sie es in ein paar Sekunden noch einmal.',
  task_archived: 'Die Aufgabe „<name>“ ist archiviert: Stellen Sie sie zum Ausführen wieder her.',
  task_version_has_errors:
    'Diese Version der Aufgabe enthält Fehler: Öffnen Sie sie, beheben Sie die Fehler, und speichern Sie.',
  task_version_gone: 'Version <version> der Aufgabe „<name>“ gibt es nicht mehr.',
  task_reads_nothing: 'Die Aufgabe liest aus keinem Konnektor',
  slot_takes_no: 'Der Platz <slots> nimmt keinen Konnektor für <type>',
  run_ended: 'Lauf #<id> hat schon geendet: <status>.',
  run_not_ended: 'Lauf #<id> ist noch nicht zu Ende (<status>): Brechen Sie ihn ab, oder warten Sie das Ende ab.',
  run_of_job_run: 'Lauf #<id> gehört zum Job-Lauf #<run>: Setzen Sie den Job-Lauf fort, oder wiederholen Sie ihn.',
  run_removed: 'Lauf #<id> wurde entfernt: retention.runs_days und retention.runs_max sagen, wie lange Läufe bleiben.',
  job_run_removed:
    'Job-Lauf #<id> wurde entfernt: retention.runs_days und retention.runs_max sagen, wie lange Läufe bleiben.',
  log_lines_missing:
    'Die Zeilen <from> bis <to> des Protokolls von Lauf #<id> fehlen: retention.logs_days und retention.logs_mb sagen, wie lange Protokolle bleiben.',
  rerun_not_completed:
    'Lauf #<id> ist nicht mit Abweisungen abgeschlossen (<status>). Nur dann steht fest, dass alle anderen Zeilen im Ziel sind. Starten Sie die Aufgabe noch einmal.',
  rerun_replaces:
    'Das Ziel hat `mode: <mode>`: Ein neuer Lauf würde Zeilen entfernen, die Lauf #<id> geschrieben hat. Korrigieren Sie die Daten in der Quelle, und starten Sie dann die Aufgabe.',
  rerun_writes_file:
    'Das Ziel ist eine Datei, die jeder Lauf ersetzt: Die Zeilen von Lauf #<id> gingen verloren. Korrigieren Sie die Daten in der Quelle, und starten Sie dann die Aufgabe.',
  rerun_needs_all_rows:
    'Schritt `<step>` (`<kind>`) braucht alle Zeilen, ein solcher Lauf liest aber nur abgewiesene. Korrigieren Sie die Daten in der Quelle, und starten Sie dann die Aufgabe.',
  rerun_expects_over_rows:
    'Erwartung `<name>` von Schritt `<step>` braucht alle Zeilen, ein solcher Lauf liest aber nur abgewiesene. Korrigieren Sie die Daten in der Quelle, und starten Sie dann die Aufgabe.',
  rerun_sql_over_rows:
    'Schritt `<step>` verwendet eine Fensterfunktion oder Unterabfrage, die alle Zeilen brauchen kann; ein solcher Lauf liest nur abgewiesene. Korrigieren Sie die Daten in der Quelle, und starten Sie dann die Aufgabe.',
  rerun_before_hooks:
    'Die Aufgabe hat `before`-Hooks, die löschen könnten, was Lauf #<id> geschrieben hat. Korrigieren Sie die Daten in der Quelle, und starten Sie dann die Aufgabe.',
  rerun_column_type:
    'Werte der Spalte `<column>` lassen sich aus abgewiesenen Zeilen nicht exakt wiederherstellen (Typ <type>). Korrigieren Sie die Daten in der Quelle, und starten Sie dann die Aufgabe.',
  rerun_columns_unknown:
    'Welche Spalten Schritt `<step>` bekam, ist nicht bekannt. Korrigieren Sie die Daten in der Quelle, und starten Sie dann die Aufgabe.',
  rerun_of_removed:
    'Die Zeilen, die Lauf #<id> gelesen hat, sind nicht mehr da. retention.logs_days sagt, wie lange sie bleiben.',
  rejects_rerun_already:
    '<count:#> dieser Zeilen wurden schon verarbeitet, die erste von Lauf #<run>. Nichts wurde gestartet. Laden Sie die abgewiesenen Zeilen neu, und lassen Sie diese weg.',
  reject_unreadable: 'Zeile <id> lässt sich nicht wiederverwenden: Sie ist gekürzt oder steht hier anders als gelesen',
  reject_starts_elsewhere: 'Zeile <id> beginnt bei `<other>`, die erste bei `<step>`. Für beide je einen Lauf starten',
  reject_twice: 'Zeile <id> ist zweimal angegeben',
  reject_has_line: 'Zeile <id> ist die Zeile einer Datei: senden Sie `text` statt `values`',
  reject_has_values: 'Zeile <id> hat Werte: senden Sie `values` statt `text`',
  reject_line_unclear: 'muss genau eine Zeile der Datei sein; prüfen Sie Anführungszeichen und Zeilenumbrüche',
  reject_line_fields: 'hat <found> Werte, die Datei hat <expected> Spalten',
  reject_line_damaged: 'enthält `�` anstelle unlesbarer Zeichen: ersetzen Sie diese',
  reject_line_no_object: 'muss ein JSON-Objekt in einer Zeile sein',
  reject_line_key: 'hat einen Schlüssel `<key>`, den die Datei nicht hatte',
  reject_no_column: 'eine Spalte `<column>` bekam der Schritt nicht',
  rerun_too_large:
    'Die Zeilen haben <bytes:#> Bytes, höchstens <most:#> gehen in einen Lauf. Starten Sie mehrere Läufe.',
  value_not_of_type: 'Spalte `<column>`: `<value>` ist kein gültiger Wert für <type>',
  column_not_editable: 'Spalte `<column>` hat den Typ <type>, der sich hier nicht bearbeiten lässt',
  not_a_reject_of_run: 'ist keine ID einer aufbewahrten abgewiesenen Zeile von Lauf #<run>',
}
