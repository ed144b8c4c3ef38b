import type { engine as english } from '../../../../contract/run-messages/engine.ts'

export const engine: Record<keyof typeof english, string> = {
  rejects_file_unwritable: 'Die abgewiesenen Zeilen lassen sich nicht in <path> schreiben: <cause>',
  rejects_file_unwritable_fix: 'Geben Sie Speicherplatz frei, oder geben Sie mit --rejects eine andere Datei an.',
  folder_of_connector_missing: 'Der Ordner des Konnektors `<connector>` existiert nicht: <path>',
  folder_of_connector_missing_fix:
    'Erstellen Sie den Ordner, oder prüfen Sie den Pfad in den Einstellungen des Konnektors.',
  database_not_made: 'Die Datenbank lässt sich nicht erstellen (<cause>): <path>',
  database_not_made_fix: 'Prüfen Sie, ob der Ordner existiert und Headgate dort schreiben darf.',
  database_blocks_not_copied: 'Blöcke der Datenbank lassen sich nicht nach <path> kopieren (<cause>).',
  database_blocks_not_copied_fix:
    'Entfernen Sie, was diesen Namen hat, oder benennen Sie es um. Prüfen Sie, ob im Ordner Platz ist und Headgate dort schreiben darf.',
  database_in_use: 'Die Datenbank des Konnektors `<connector>` wird von <holder> verwendet: <path>',
  database_in_use_fix:
    'In eine DuckDB-Datei schreibt ein Programm, während kein anderes sie geöffnet hat. Sie dort schließen oder den anderen Lauf enden lassen, und noch einmal ausführen.',
  database_in_use_fix_2:
    'Solange ein Programm in eine DuckDB-Datei schreibt, kann kein anderes sie lesen. Sie dort schließen oder den anderen Lauf enden lassen, und noch einmal ausführen.',
  database_failed_at: '<text>: <where>',
  database_error_at: '<cause>: <where>',
  set_column_type:
    'Den Typ der Spalte setzen, z. B. `columns: {<column>: string}`. `on_error: quarantine` schickt solche Zeilen zu den abgewiesenen des Laufs und macht weiter.',
  cast_in_a_step:
    'Lassen Sie den Typ der Spalte weg, und wandeln Sie sie in einem `cast`-Schritt um: `on_error` und `rounding` legen fest, was aus solchen Werten wird.',
  cast_may_reject:
    'In einem `cast`-Schritt schickt `on_error: quarantine` solche Zeilen zu den abgewiesenen des Laufs, `on_error: "null"` leert den Wert.',
  source_may_reject:
    '`on_error: quarantine` der Quelle schickt solche Zeilen zu den abgewiesenen des Laufs und macht weiter.',
  source_may_round:
    '`on_error: quarantine` der Quelle schickt solche Zeilen zu den abgewiesenen des Laufs und macht weiter. `rounding` eines `cast`-Schritts legt fest, was verloren gehen darf: Lesen Sie die Spalte unverändert, und wandeln Sie sie dann um.',
  check_target_first:
    'Prüfen Sie das Ziel, bevor die Aufgabe noch einmal ausgeführt wird: Die Zeilen könnten doppelt geschrieben werden.',
  slot_without_connector: 'Dem Slot `<slot>` ist kein Konnektor zugeordnet',
  slot_without_connector_fix: 'Wählen Sie beim Starten des Laufs einen (connector_mapping).',
  disk_is_full: 'Der Datenträger ist voll: <text>',
  disk_is_full_fix:
    'Geben Sie auf dem Datenträger des Datenordners und des Ziels Speicherplatz frei, und führen Sie die Aufgabe noch einmal aus.',
  parquet_damaged:
    'Die Datei ist beschädigt oder keine Parquet-Datei: Prüfen Sie ihre Herkunft, oder setzen Sie `format`.',
  check_file_readable: 'Prüfen Sie, ob die Datei existiert und gelesen werden darf.',
  csv_quotes_mismatch: 'Die Anführungszeichen einer CSV-Datei passen nicht zusammen',
  csv_quotes_mismatch_fix: 'Prüfen Sie `csv.quote` und `csv.escape`.',
  csv_field_count: '<where>: Die Zeile hat <found> Felder, die Kopfzeile hat <expected><line>',
  csv_not_utf8: '<where>: Der Text ist kein gültiges UTF-8',
  csv_quote_open: '<where>: Ein Anführungszeichen ist nicht geschlossen<line>',
  csv_unreadable: '<where>: Der Text lässt sich mit diesen Einstellungen nicht als CSV lesen',
  run_stopped: 'Der Lauf wurde angehalten, bevor er fertig war',
  run_stopped_fix: 'Nichts wurde in das Ziel geschrieben. Starten Sie den Lauf bei Bedarf noch einmal.',
  check_expression: 'Den Ausdruck prüfen und das, worauf er sich bezieht.',
  input_unknown: 'Die Aufgabe hat keine Eingabe `<input>`',
  input_unknown_fix: 'Fügen Sie sie unter `inputs` hinzu.',
  in_input: 'Eingabe `<input>`: <cause>',
  file_moved: '<path> wurde beim Öffnen verschoben, entfernt oder ersetzt',
  file_moved_fix:
    'Nichts wurde geschrieben. Führen Sie die Aufgabe noch einmal aus, wenn kein Programm dort Dateien oder Ordner verschiebt.',
  file_unopenable: '<path> lässt sich nicht öffnen: <cause>',
  file_unopenable_fix: 'Geben Sie dem Benutzer, unter dem Headgate läuft, Leserechte.',
  argument_refused: 'Argument `<path>`: <cause>',
  argument_refused_fix: 'Starten Sie den Lauf mit anderen Argumenten.',
  check_expression_arguments: 'Prüfen Sie den Ausdruck und die verwendeten Argumente.',
  path_protected: 'Der Konnektor `<connector>` darf `<path>` nicht öffnen: <cause>',
  path_protected_fix:
    'Konnektoren haben keinen Zugriff auf den Datenordner, auf Sicherungen, temporäre Dateien von Läufen und /proc. Wählen Sie einen anderen Ordner.',
  too_many_rejects: '<rejected:#> von <rows:#> Zeilen wurden abgewiesen (<share>); erlaubt sind <limit:#> %',
  report_uncommitted:
    'Nichts wurde festgeschrieben. Führen Sie die Aufgabe noch einmal aus; wenn es an derselben Stelle wieder fehlschlägt, melden Sie das bitte mit dem Protokoll des Laufs.',
  output_not_evaluated: '<written>, aber <path> ließ sich nicht auswerten: <cause>',
  output_not_evaluated_fix:
    'Korrigieren Sie die Ausgabe. Wird die Aufgabe noch einmal ausgeführt, wiederholt sich die Arbeit.',
  cursor_column_missing: 'Die Quelle hat keine Spalte `<key>`, die `state.cursor` nennt',
  cursor_column_missing_fix: 'Sie hat `<columns>`.',
  cursor_type_differs: '`state.cursor` gibt für `<key>` den Typ <type> an, die Quelle liefert aber <actual>',
  cursor_value_invalid: 'Der größte Wert von `<column>`, <text>, <why> und kann daher kein Cursor sein',
  cursor_value_invalid_fix: 'Korrigieren Sie die Zeile, oder schließen Sie sie in der Quelle aus.',
  columns_collide: 'Es gäbe zwei Spalten, `<before>` und `<column>`',
  columns_collide_fix:
    'Namen von Spalten müssen sich in mehr als Groß- und Kleinschreibung unterscheiden: Benennen Sie zuerst eine um, oder entfernen Sie sie.',
  column_name_nul: 'Der Name einer Spalte enthält ein NUL-Zeichen: <column>',
  column_name_nul_fix:
    'Prüfen Sie, ob die Datei dieses Format hat. Kein System nimmt einen solchen Namen: Nennen Sie die Spalte anders.',
  date_not_in_format: '<where>„<value>“ ist nicht so geschrieben, wie `<format>` es angibt',
  date_not_in_format_fix:
    'Korrigieren Sie das Format, oder verwenden Sie `try_strptime`, das für solche Werte NULL liefert.',
  bind_undeclared: '`:<name>` hat keinen Wert',
  bind_undeclared_fix: 'Deklarieren Sie unter `args` ein Argument `<name>`, oder geben Sie den Wert unter `params` an.',
  not_one_expression: 'Das ist nicht ein einzelner Ausdruck: <expression>',
  not_one_expression_fix:
    'Schreiben Sie einen Ausdruck über die Spalten einer Zeile, wie `amount * 2`. Vollständige Abfragen gehören in einen `sql`-Schritt.',
  unnest_refused: '`unnest` macht aus einer Zeile viele und ist in einem Ausdruck nicht erlaubt',
  unnest_refused_fix: 'Verwenden Sie einen `sql`-Schritt: SELECT …, unnest(items) AS item FROM stream',
  sql_mistake: 'Das SQL hat einen Fehler: <cause>',
  sql_mistake_fix: 'Es lautet: <sql>',
  only_select: 'Hier ist nur SELECT erlaubt: <sql>',
  only_select_fix:
    'Ein `sql`-Schritt ist ein SELECT über `stream`; `filter`, `derive` und `check` sind Ausdrücke. Anderes wird nicht ausgeführt.',
  one_statement_in_step: 'Hier ist genau eine Anweisung erlaubt: <sql>',
  one_statement_in_step_fix:
    'Teilen Sie sie in mehrere `sql`-Schritte auf; jeder liest als `stream`, was der vorige liefert.',
  describe_refused: 'SHOW, DESCRIBE und SUMMARIZE sind hier nicht erlaubt',
  describe_refused_fix: 'Lesen Sie die Zeilen selbst; die Vorschau zeigt ihre Spalten.',
  table_function_refused: 'Die Tabellenfunktion `<name>` ist hier nicht erlaubt',
  table_function_refused_fix: 'Dateien und Datenbanken liest die Quelle der Aufgabe, über einen Konnektor.',
  function_refused: 'Die Funktion `<name>` ist hier nicht erlaubt',
  function_refused_fix:
    'SQL in einer Aufgabe sieht nur die Daten der Aufgabe. Werte von außen kommen als Argumente, mit `:name`.',
  call_worker_ended:
    'Der Prozess, der das tat, endete (<how>), vielleicht aus Mangel an Speicher. Versuchen Sie es noch einmal, oder verlangen Sie weniger.',
  call_timed_out: 'Der Executor hatte nach <limit> keine Antwort',
  call_stopped: 'Der Aufruf wurde angehalten, bevor er fertig war',
  query_without_rows_in_time: 'Das System gab <limit> lang keine Zeile',
  as_told: '<text>',
  run_timed_out: 'Der Lauf überschritt sein Zeitlimit von <limit> und wurde angehalten',
  run_timed_out_fix: '`timeout` in der Aufgabe erhöhen oder in einem Lauf weniger tun.',
  executor_shut_down: 'Der Executor wurde heruntergefahren, bevor der Lauf fertig war',
  executor_shut_down_fix:
    'Starten Sie den Lauf noch einmal, oder setzen Sie in der Aufgabe `retries`, damit das automatisch geschieht.',
  no_worker: 'Für den Lauf ließ sich kein Arbeitsprozess starten: <cause>',
  ended_by_signal: 'wurde durch Signal <signal> beendet',
  ended_with_code: 'endete mit dem Code <exit_code>',
  worker_ended: 'Der Arbeitsprozess des Laufs <how>',
  worker_ended_fix: 'Kein Speicher mehr, oder von außen beendet. Prüfen Sie das Protokoll des Executors.',
  retry_repeatable:
    'Wiederholen Sie den Lauf: Das Ziel wird so geschrieben, dass dieselben Zeilen noch einmal dasselbe ergeben.',
  check_target_before_retry:
    'Prüfen Sie das Ziel, bevor der Lauf wiederholt wird: Die Zeilen könnten doppelt geschrieben werden.',
  outcome_unknown:
    '<cause>, während das Ziel festgeschrieben wurde; ob die Zeilen geschrieben wurden, ist nicht bekannt',
  database_encrypted: 'Die Datenbank ist verschlüsselt',
  database_encrypted_fix:
    'Verschlüsselte DuckDB-Dateien lassen sich nicht verwenden: Kopieren Sie sie in eine unverschlüsselte.',
  database_of_other_version: 'Die Datenbank wurde von einer anderen Version von DuckDB geschrieben (<detail>)',
  database_of_other_version_fix:
    'Schreiben Sie sie mit einer DuckDB neu, die dieser Executor lesen kann (EXPORT DATABASE, IMPORT DATABASE).',
  duckdb_unopenable: 'Die Datenbank lässt sich nicht öffnen (<detail>)',
  duckdb_unopenable_fix:
    'Prüfen Sie, ob Headgate die Datei lesen und, um sie zu schreiben, auf ihren Ordner zugreifen darf.',
  not_duckdb: 'Das ist keine intakte DuckDB-Datenbank (<detail>)',
  connection_lost_in_commit:
    'Die Verbindung ging verloren, während Zeilen festgeschrieben wurden; ob sie geschrieben wurden, ist nicht bekannt: <cause>',
  check_query_spelling: 'Prüfen Sie die Schreibweise der Abfrage.',
  check_query_names: 'Prüfen Sie Namen und Typen. Der Baum im Explorer zeigt Spalten mit ihren Typen.',
  use_try_cast_here: 'Nehmen Sie TRY_CAST, wo Werte nicht passen könnten.',
  file_in_query_fix:
    'Berichtigen Sie die Datei, oder lesen Sie sie in einer Aufgabe: Deren Quelle kann Trennzeichen, Anführungszeichen und Typen von Dateien festlegen und nicht lesbare Zeilen zu den abgelehnten Zeilen des Laufs legen. Eine Abfrage liest Dateien mit Einstellungen, die aus dem Inhalt folgen.',
  files_of_encodings: '<file> ist in UTF-16; andere Dateien des Musters sind es nicht',
  files_of_encodings_fix: 'Nennen Sie die Dateien in getrennten Abfragen, oder speichern Sie sie in einer Kodierung.',
  query_encoding_fix:
    "Die Kodierung der Datei hinter ihrem Pfad nennen, etwa `windows-1252` in 'old.csv#windows-1252', oder die Datei als UTF-8 speichern.",
  query_encoding_unknown: 'Die Kodierung „<encoding>“ wird nicht unterstützt',
  query_encoding_unknown_fix: 'Verwenden Sie eine von <encodings>.',
  csv_looks_utf16: '<file> sieht nach UTF-16 ohne Byte-Reihenfolge-Markierung aus',
  csv_looks_utf16_fix: 'Nennen Sie die Kodierung hinter dem Pfad, <named>, oder speichern Sie die Datei als UTF-8.',
  file_in_utf16: '<file> ist in UTF-16; JSON wird in UTF-8 gelesen',
  file_in_utf16_fix: 'Speichern Sie die Datei als UTF-8.',
  value_too_long:
    'Ein Wert hat <bytes:#> Bytes; Ergebnisse nehmen bis <most:#>: wählen Sie einen Teil davon, etwa die ersten Zeichen, oder seine Länge',
  check_sql_spelling: 'Prüfen Sie die Schreibweise des SQL; die Vorschau zeigt die Spalten jedes Schritts.',
  check_sql_names: 'Prüfen Sie Namen und Typen; die Vorschau zeigt die Spalten, die in jeden Schritt eingehen.',
  duckdb_dialect: 'Es gilt das SQL von DuckDB; prüfen Sie den Namen der Funktion oder des Typs.',
  use_try_cast: 'Verwenden Sie TRY_CAST, wo Werte vielleicht nicht passen, oder einen `cast`-Schritt mit `on_error`.',
  cast_wider: 'Wandeln Sie die Werte zuerst in einen breiteren Typ um.',
  reject_or_change_table_quarantine:
    'Weisen Sie solche Zeilen vor dem Ziel mit einem `expect`-Schritt ab (`on_fail: quarantine`), oder ändern Sie die Tabelle.',
  drop_dependents: 'Löschen Sie zuerst, was davon abhängt, oder lassen Sie es, wie es ist.',
  files_by_connector: 'Aufgaben erreichen Dateien nur über ihren Konnektor.',
  memory_used_up: 'Der Lauf braucht mehr Arbeitsspeicher, als er verwenden darf (<most>)',
  step_out_of_memory:
    'Je 2.048 Zeilen sind gleichzeitig im Arbeitsspeicher: Entfernen oder kürzen Sie Spalten mit Texten von vielen Kilobyte. Sortierungen, Joins und Aggregationen weichen auf den Datenträger aus: Geben Sie Speicherplatz frei, oder teilen Sie den Schritt auf.',
  rows_differ: '<where>: <given:#> Zeilen wurden weitergegeben, <found:#> kamen an',
  executor_failed: 'Der Executor ist unerwartet fehlgeschlagen: <cause>',
  executor_failed_fix:
    'Das ist ein Fehler von Headgate, nicht der Aufgabe. Melden Sie das bitte mit dem Protokoll dieses Laufs.',
  csv_or_quarantine:
    '<remedy> `on_error: quarantine` schickt solche Zeilen zu den abgewiesenen des Laufs und macht weiter.',
  check_delimiter: 'Korrigieren Sie die Zeile, oder prüfen Sie `csv.delimiter` und `csv.quote`.',
  set_encoding: 'Setzen Sie `csv.encoding`, oder speichern Sie die Datei als UTF-8.',
  check_quote: 'Korrigieren Sie die Zeile, oder prüfen Sie `csv.quote`.',
  check_csv_settings: 'Prüfen Sie `csv.delimiter`, `csv.quote` und `csv.header`.',
  json_line_broken: '<file>, Zeile <number>: fehlerhaftes JSON bei Byte <byte>: <cause>',
  json_record_broken: '<file>, Datensatz <number>: fehlerhaftes JSON bei Byte <byte>: <cause>',
  json_record_unfit: '<file>, Datensatz <number>: <cause>',
  set_field_type: 'Den Typ des Felds setzen, z. B. `columns: {field: string}`.',
  query_stopped: 'Eine Abfrage hielt nach <rows:#> Zeilen ohne Angabe eines Grundes an',
  query_count_differs: 'Eine Abfrage lieferte <rows:#> Zeilen, hat aber <again:#> Zeilen',
  stage_lost_rows: '<before:#> Zeilen gingen in die Stufe `<stage>` ein, <after:#> kamen heraus',
  stage_lost_rows_rejecting:
    '<before:#> Zeilen gingen in die Stufe `<stage>` ein, <rejected:#> wurden abgewiesen, <after:#> kamen heraus',
  value_unlike_before:
    'Die Spalte `<column>` enthält „<value>“, was sich nicht als <type> lesen lässt wie die Zeilen davor',
  value_loses: 'Die Spalte `<column>` enthält „<value>“, was <type> nicht ohne Verlust aufnehmen kann',
  value_of_other_type: 'Die Spalte `<column>` enthält „<value>“, was kein Wert vom Typ <type> ist',
  type_written_as: '<type>, geschrieben als <pattern>',
  type_with_fraction: '<type> mit `<decimal>` vor den Nachkommastellen',
  type_with_groups: '<type> mit `<decimal>` vor den Nachkommastellen und `<thousands>` zwischen Tausendern',
  several_reasons: '<causes:;>',
  cast_may_round:
    'In einem `cast`-Schritt schickt `on_error: quarantine` solche Zeilen zu den abgewiesenen des Laufs, `on_error: "null"` leert den Wert. `rounding` eines `cast`-Schritts legt fest, was verloren gehen darf: Lesen Sie die Spalte unverändert, und wandeln Sie sie dann um.',
  finding_at: 'Zeile <line>, Spalte <column>: <cause>',
  task_unreadable: 'Die Aufgabe ist nicht lesbar',
  open_in_editor: 'Öffnen Sie die Aufgabe im Editor; er markiert die Stelle.',
  rejects_nothing_written:
    'Die abgewiesenen Zeilen des Laufs nennen die Gründe. Nichts wurde geschrieben. Korrigieren Sie die Daten, oder erhöhen Sie `dead_letter.max_ratio`.',
  rejects_written:
    'Die abgewiesenen Zeilen des Laufs nennen die Gründe. Was das Ziel vorher angenommen hat, bleibt dort. Korrigieren Sie die Daten, oder erhöhen Sie `dead_letter.max_ratio`.',
  stopped_in_hook: 'Der Lauf wurde nach seiner Arbeit in einem Hook angehalten',
  work_stays: 'Die Arbeit selbst ist getan und bleibt es.',
  fix_and_work_stays: '<fix> Die Arbeit selbst ist getan und bleibt es.',
  target_is_written: 'Das Ziel ist geschrieben',
  work_is_done: 'Die Arbeit ist getan',
  cursor_type_fix:
    'Schreiben Sie `type: <type>`, oder geben Sie der Spalte in der Quelle einen anderen Typ, mit `columns` oder in der Abfrage.',
  cursor_type_other_fix:
    'Ein Cursor ist eine Zahl, ein Text, ein Datum oder ein Zeitpunkt: Wählen Sie eine andere Spalte, oder geben Sie der Spalte in der Quelle einen anderen Typ, mit `columns` oder in der Abfrage.',
  outside_years: 'liegt außerhalb der Jahre 0 bis 9999',
  longer_than: 'ist länger als <most> Zeichen',
  column_unknown: 'Hier gibt es keine Spalte `<column>`',
  column_unknown_in_input: 'In der Eingabe `<input>` gibt es keine Spalte `<column>`',
  columns_are: 'Die Spalten sind `<columns>`.',
  columns_are_near: 'War `<near>` gemeint? Die Spalten sind `<columns>`.',
  use_sql_step_for_more: 'Ein Ausdruck sieht die Spalten einer Zeile. Verwenden Sie für mehr einen `sql`-Schritt.',
  sql_step_reads:
    'Ein `sql`-Schritt liest `stream`, das Ergebnis des vorigen Schritts, und die Eingaben der Aufgabe. Fügen Sie andere Daten unter `inputs` hinzu.',
  sql_step_reads_inputs:
    'Ein `sql`-Schritt liest `stream`, das Ergebnis des vorigen Schritts, und die Eingaben der Aufgabe (`<inputs>`). Fügen Sie andere Daten unter `inputs` hinzu.',
}
