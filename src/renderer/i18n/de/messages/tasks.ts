import type { Words } from '../../translate.ts'

export const tasks: Words = {
  task_has_errors: 'Die Aufgabe enthält Fehler',
  readings_under_way: 'Der Server liest noch anderes langes YAML. In ein paar Sekunden noch einmal versuchen.',
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
  rerun_not_completed:
    'Lauf #<id> ist nicht mit Ausschuss abgeschlossen (<status>). Nur dann steht fest, dass alle anderen Zeilen im Ziel sind. Die Aufgabe noch einmal starten.',
  rerun_replaces:
    'Das Ziel hat `mode: <mode>`: Ein neuer Lauf würde Zeilen entfernen, die Lauf #<id> geschrieben hat. Die Daten in der Quelle korrigieren, dann die Aufgabe starten.',
  rerun_writes_file:
    'Das Ziel ist eine Datei, die jeder Lauf ersetzt: Die Zeilen von Lauf #<id> gingen verloren. Die Daten in der Quelle korrigieren, dann die Aufgabe starten.',
  rerun_needs_all_rows:
    'Schritt `<step>` (`<kind>`) braucht alle Zeilen, ein solcher Lauf liest aber nur abgewiesene. Die Daten in der Quelle korrigieren, dann die Aufgabe starten.',
  rerun_expects_over_rows:
    'Erwartung `<name>` von Schritt `<step>` braucht alle Zeilen, ein solcher Lauf liest aber nur abgewiesene. Die Daten in der Quelle korrigieren, dann die Aufgabe starten.',
  rerun_sql_over_rows:
    'Schritt `<step>` verwendet eine Fensterfunktion oder Unterabfrage, die alle Zeilen brauchen kann; ein solcher Lauf liest nur abgewiesene. Die Daten in der Quelle korrigieren, dann die Aufgabe starten.',
  rerun_before_hooks:
    'Die Aufgabe hat `before`-Hooks, die löschen könnten, was Lauf #<id> geschrieben hat. Die Daten in der Quelle korrigieren, dann die Aufgabe starten.',
  rerun_column_type:
    'Werte der Spalte `<column>` lassen sich aus abgewiesenen Zeilen nicht exakt wiederherstellen (Typ <type>). Die Daten in der Quelle korrigieren, dann die Aufgabe starten.',
  rerun_columns_unknown:
    'Welche Spalten Schritt `<step>` bekam, ist nicht bekannt. Die Daten in der Quelle korrigieren, dann die Aufgabe starten.',
  rerun_of_removed:
    'Die Zeilen, die Lauf #<id> gelesen hat, sind nicht mehr da. retention.logs_days sagt, wie lange sie bleiben.',
  rejects_rerun_already:
    '<count:#> dieser Zeilen wurden schon verarbeitet, die erste von Lauf #<run>. Nichts wurde gestartet. Die abgewiesenen Zeilen neu laden und diese weglassen.',
  reject_unreadable: 'Zeile <id> lässt sich nicht wiederverwenden: Sie ist gekürzt oder steht hier anders als gelesen',
  reject_starts_elsewhere: 'Zeile <id> beginnt bei `<other>`, die erste bei `<step>`. Für beide je einen Lauf starten',
  reject_twice: 'Zeile <id> ist zweimal angegeben',
  reject_has_line: 'Zeile <id> ist die Zeile einer Datei: `text` statt `values` senden',
  reject_has_values: 'Zeile <id> hat Werte: `values` statt `text` senden',
  reject_line_unclear: 'muss genau eine Zeile der Datei sein; Anführungszeichen und Zeilenumbrüche prüfen',
  reject_line_fields: 'hat <found> Werte, die Datei hat <expected> Spalten',
  reject_line_damaged: 'enthält `�` anstelle unlesbarer Zeichen: diese ersetzen',
  reject_line_no_object: 'muss ein JSON-Objekt in einer Zeile sein',
  reject_line_key: 'hat einen Schlüssel `<key>`, den die Datei nicht hatte',
  reject_no_column: 'eine Spalte `<column>` bekam der Schritt nicht',
  rerun_too_large: 'Die Zeilen haben <bytes:#> Bytes, höchstens <most:#> gehen in einen Lauf. Mehrere Läufe starten.',
  value_not_of_type: 'Spalte `<column>`: `<value>` ist kein gültiger Wert für <type>',
  column_not_editable: 'Spalte `<column>` hat den Typ <type>, der sich hier nicht bearbeiten lässt',
  not_a_reject_of_run: 'ist keine ID einer aufbewahrten abgewiesenen Zeile von Lauf #<run>',
}
