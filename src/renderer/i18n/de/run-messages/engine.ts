import type { engine as english } from '../../../../contract/run-messages/engine.ts'

export const engine: Record<keyof typeof english, string> = {
  rejects_file_unwritable: 'Die zurückgewiesenen Zeilen lassen sich nicht in <path> schreiben: <cause>',
  rejects_file_unwritable_fix: 'Speicherplatz freigeben oder mit --rejects eine andere Datei angeben.',
  folder_of_connector_missing: 'Der Ordner des Konnektors `<connector>` existiert nicht: <path>',
  folder_of_connector_missing_fix: 'Den Ordner anlegen oder den Pfad in den Einstellungen des Konnektors prüfen.',
  database_not_made: 'Die Datenbank lässt sich nicht anlegen (<cause>): <path>',
  database_not_made_fix: 'Prüfen, ob der Ordner existiert und Headgate dort schreiben darf.',
  database_in_use: 'Die Datenbank des Konnektors `<connector>` wird von <holder> verwendet: <path>',
  database_in_use_fix:
    'In eine DuckDB-Datei schreibt ein Programm, während kein anderes sie geöffnet hat. Sie dort schließen oder den anderen Lauf enden lassen, und noch einmal ausführen.',
  database_in_use_fix_2:
    'Solange ein Programm in eine DuckDB-Datei schreibt, kann kein anderes sie lesen. Sie dort schließen oder den anderen Lauf enden lassen, und noch einmal ausführen.',
  database_failed_at: '<text>: <where>',
  database_error_at: '<cause>: <where>',
  set_column_type:
    'Den Typ der Spalte setzen, z. B. `columns: {<column>: string}`. `on_error: quarantine` schickt solche Zeilen zu den zurückgewiesenen des Laufs und macht weiter.',
  cast_in_a_step:
    'Den Typ der Spalte weglassen und sie in einem `cast`-Schritt umwandeln: `on_error` und `rounding` legen fest, was aus solchen Werten wird.',
  cast_may_reject:
    'In einem `cast`-Schritt schickt `on_error: quarantine` solche Zeilen zu den zurückgewiesenen des Laufs, `on_error: "null"` leert den Wert.<allow>',
  check_target_first:
    'Das Ziel prüfen, bevor die Aufgabe noch einmal ausgeführt wird: Die Zeilen könnten doppelt geschrieben werden.',
  slot_without_connector: 'Dem Slot `<slot>` ist kein Konnektor zugeordnet',
  slot_without_connector_fix: 'Beim Starten des Laufs einen wählen (connector_mapping).',
  disk_is_full: 'Der Datenträger ist voll: <text>',
  disk_is_full_fix:
    'Auf dem Datenträger des Datenordners und des Ziels Speicherplatz freigeben und noch einmal ausführen.',
  parquet_damaged: 'Die Datei ist beschädigt oder keine Parquet-Datei: ihre Herkunft prüfen oder `format` setzen.',
  check_file_readable: 'Prüfen, ob die Datei existiert und gelesen werden darf.',
  csv_quotes_mismatch: 'Die Anführungszeichen einer CSV-Datei passen nicht zusammen',
  csv_quotes_mismatch_fix: '`csv.quote` und `csv.escape` prüfen.',
  csv_field_count: '<where>: Die Zeile hat <found> Felder, die Kopfzeile hat <expected><line>',
  csv_not_utf8: '<where>: Der Text ist kein gültiges UTF-8',
  csv_quote_open: '<where>: Ein Anführungszeichen ist nicht geschlossen<line>',
  csv_unreadable: '<where>: Der Text lässt sich mit diesen Einstellungen nicht als CSV lesen',
  run_stopped: 'Der Lauf wurde angehalten, bevor er fertig war',
  run_stopped_fix: 'Nichts wurde in das Ziel geschrieben. Bei Bedarf noch einmal starten.',
  check_expression: 'Den Ausdruck prüfen und das, worauf er sich bezieht.',
  input_unknown: 'Die Aufgabe hat keine Eingabe `<input>`',
  input_unknown_fix: 'Unter `inputs` hinzufügen.',
  in_input: 'Eingabe `<input>`: <cause>',
  file_moved: '<path> wurde beim Öffnen verschoben, entfernt oder ersetzt',
  file_moved_fix:
    'Nichts wurde geschrieben. Noch einmal ausführen, wenn kein Programm dort Dateien oder Ordner verschiebt.',
  file_unopenable: '<path> lässt sich nicht öffnen: <cause>',
  file_unopenable_fix: 'Dem Benutzer, unter dem Headgate läuft, Leserechte geben.',
  argument_refused: 'Argument `<path>`: <cause>',
  argument_refused_fix: 'Den Lauf mit anderen Argumenten starten.',
  check_expression_arguments: 'Den Ausdruck und die verwendeten Argumente prüfen.',
  path_protected: 'Der Konnektor `<connector>` darf `<path>` nicht öffnen: <cause>',
  path_protected_fix:
    'Konnektoren haben keinen Zugriff auf den Datenordner, auf Sicherungen, temporäre Dateien von Läufen und /proc. Einen anderen Ordner wählen.',
  too_many_rejects: '<rejected:#> von <rows:#> Zeilen wurden zurückgewiesen (<share>); erlaubt sind <limit:#> %',
  report_uncommitted:
    'Nichts wurde festgeschrieben. Noch einmal ausführen; wenn es an derselben Stelle wieder fehlschlägt, bitte mit dem Protokoll des Laufs melden.',
  output_not_evaluated: '<written>, aber <path> ließ sich nicht auswerten: <cause>',
  output_not_evaluated_fix:
    'Die Ausgabe korrigieren. Wird die Aufgabe noch einmal ausgeführt, wiederholt sich die Arbeit.',
  cursor_column_missing: 'Die Quelle hat keine Spalte `<key>`, die `state.cursor` nennt',
  cursor_column_missing_fix: 'Sie hat `<columns>`.',
  cursor_type_differs: '`state.cursor` gibt für `<key>` den Typ <type> an, die Quelle liefert aber <actual>',
  cursor_value_invalid: 'Der größte Wert von `<column>`, <text>, <why> und kann daher kein Cursor sein',
  cursor_value_invalid_fix: 'Die Zeile korrigieren oder in der Quelle ausschließen.',
  columns_collide: 'Es gäbe zwei Spalten, `<before>` und `<column>`',
  columns_collide_fix:
    'Namen von Spalten müssen sich in mehr als Groß- und Kleinschreibung unterscheiden: zuerst eine umbenennen oder entfernen.',
  date_not_in_format: '<where>„<value>“ ist nicht so geschrieben, wie `<format>` es angibt',
  date_not_in_format_fix: 'Das Format korrigieren oder `try_strptime` verwenden, das für solche Werte NULL liefert.',
  bind_undeclared: '`:<name>` hat keinen Wert',
  bind_undeclared_fix: 'Unter `args` ein Argument `<name>` deklarieren oder den Wert unter `params` angeben.',
  not_one_expression: 'Das ist nicht ein einzelner Ausdruck: <expression>',
  not_one_expression_fix:
    'Einen Ausdruck über die Spalten einer Zeile schreiben, wie `amount * 2`. Vollständige Abfragen gehören in einen `sql`-Schritt.',
  unnest_refused: '`unnest` macht aus einer Zeile viele und ist in einem Ausdruck nicht erlaubt',
  unnest_refused_fix: 'Einen `sql`-Schritt verwenden: SELECT …, unnest(items) AS item FROM stream',
  sql_mistake: 'Das SQL hat einen Fehler: <cause>',
  sql_mistake_fix: 'Es lautet: <sql>',
  only_select: 'Hier ist nur SELECT erlaubt: <sql>',
  only_select_fix:
    'Ein `sql`-Schritt ist ein SELECT über `stream`; `filter`, `derive` und `check` sind Ausdrücke. Anderes wird nicht ausgeführt.',
  one_statement_in_step: 'Hier ist genau eine Anweisung erlaubt: <sql>',
  one_statement_in_step_fix: 'In mehrere `sql`-Schritte aufteilen; jeder liest als `stream`, was der vorige liefert.',
  describe_refused: 'SHOW, DESCRIBE und SUMMARIZE sind hier nicht erlaubt',
  describe_refused_fix: 'Die Zeilen selbst lesen; die Vorschau zeigt ihre Spalten.',
  table_function_refused: 'Die Tabellenfunktion `<name>` ist hier nicht erlaubt',
  table_function_refused_fix: 'Dateien und Datenbanken liest die Quelle der Aufgabe, über einen Konnektor.',
  function_refused: 'Die Funktion `<name>` ist hier nicht erlaubt',
  function_refused_fix:
    'SQL in einer Aufgabe sieht nur die Daten der Aufgabe. Werte von außen kommen als Argumente, mit `:name`.',
  call_stopped: 'Der Aufruf wurde angehalten, bevor er fertig war',
  as_told: '<text>',
}
