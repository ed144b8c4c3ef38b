import type { databases as english } from '../../../../contract/run-messages/databases.ts'

export const databases: Record<keyof typeof english, string> = {
  connector_of_other_type: 'Der Konnektor `<connector>` ist vom Typ <type>, nicht <required>',
  connector_of_other_type_fix: 'Diesem Slot einen Konnektor vom Typ <type> zuordnen.',
  connector_is_read_only: 'Der Konnektor `<connector>` ist schreibgeschützt',
  connector_is_read_only_fix:
    'Dem Ziel einen anderen Konnektor zuordnen oder „Schreibgeschützt“ in den Einstellungen des Konnektors ausschalten.',
  table_unknown: 'Im Konnektor `<connector>` gibt es keine Tabelle oder Sicht `<table>`',
  table_unknown_fix: 'Die Liste der Tabellen ansehen.',
  macro_argument_missing: 'Einem Aufruf des Makros `<name>` der Datenbank fehlt ein Argument',
  macro_argument_missing_fix: 'Alle Argumente angeben: Vorgabewerte von Makros lassen sich nicht prüfen.',
  not_readable_here: '`<name>` kann hier nicht gelesen werden',
  definition_unusable: '<type> `<definition>` der Datenbank lässt sich nicht verwenden: <cause>',
  definition_unusable_fix:
    'Gelesen werden dürfen nur Tabellen und Sichten der eigenen Datenbank. Die Tabellen selbst lesen oder die Definition ändern.',
  table_of_catalog_not_readable: '`<catalog>.<table>` kann hier nicht gelesen werden',
  query_reads_own_file:
    'Gelesen werden Tabellen und Sichten aus der Datei des Konnektors, als `table` oder `schema.table`, und sonst nichts.',
  table_name_invalid: '`<table>` ist kein Tabellenname',
  table_name_invalid_fix: '`table` oder `schema.table` schreiben.',
  table_misfits_types: 'Die Tabelle <table> lässt sich nicht auf die neuen Typen umstellen: <cause>',
  table_misfits_types_fix: 'Die Tabelle ist unverändert. Ändern, was im Weg steht: <sql>',
  one_statement_only: 'Hier ist genau eine Anweisung erlaubt',
  one_statement_only_fix: 'Mehrere Anweisungen als Liste schreiben.',
  duckdb_call_refused: 'Aufgaben dürfen in DuckDB kein CALL verwenden',
  duckdb_call_refused_fix:
    'CALL verändert DuckDB selbst. Zeilen einer Funktion lassen sich mit `SELECT * FROM function(…)` lesen.',
  duckdb_statement_refused: 'Aufgaben dürfen in DuckDB kein <statementType> verwenden',
  duckdb_statement_refused_fix:
    'Ein Konnektor ist eine Datenbankdatei; für eine andere Datei einen anderen Konnektor verwenden.',
  duckdb_logging_refused: 'Aufgaben dürfen in DuckDB nicht `enable_logging` verwenden',
  duckdb_logging_refused_fix: 'Den Aufruf entfernen. Das Protokoll eines Laufs nennt, was jede Anweisung getan hat.',
  view_not_writable: '`<schema>.<table>` ist eine Sicht; Zeilen lassen sich nur in Tabellen schreiben',
  view_not_writable_fix: 'In die Tabelle schreiben, die die Sicht liest.',
  no_unique_index: 'Die Tabelle <table> hat keinen eindeutigen Index auf (<key>)',
  no_unique_index_fix:
    'Ein Upsert findet seine Zeilen darüber: CREATE UNIQUE INDEX <value> ON <schema>.<table> (<key>)',
  column_cannot_hold: 'Die Spalte `<to>` von <table> ist <type> und kann <misfit> nicht aufnehmen',
  column_cannot_hold_fix: 'Die Spalte vor dem Ziel umwandeln oder filtern, oder die Spalte der Tabelle erweitern.',
  mongodb_driver_missing: 'Der MongoDB-Treiber lässt sich nicht laden: <cause>',
  mongodb_driver_missing_fix: 'Headgate auf dem Rechner des Executors neu installieren.',
  field_name_invalid: 'Ein Dokument kann kein Feld namens `<name>` haben',
  field_name_invalid_fix: 'Die Spalte vor dem Ziel umbenennen: keine Punkte, kein `$` am Anfang und nicht leer.',
  row_column_invalid: 'Zeile <row:#>, Spalte `<column>`: <cause>',
  collection_is_view: '<name> ist eine Sicht, in die nicht geschrieben werden kann',
  collection_is_view_fix: 'In die Collection schreiben, die die Sicht zeigt.',
  no_unique_index_of_collection: 'Die Collection <collection> hat keinen eindeutigen Index auf (<key>)',
  no_unique_index_of_collection_fix:
    'Ein Upsert findet seine Dokumente darüber: db.getCollection("<collection>").createIndex({<fields>}, {unique: true})',
  document_too_large: 'Zeile <row:#> ist ein Dokument mit <size:#> Byte; MongoDB nimmt höchstens <most:#>',
  document_too_large_fix: 'Die langen Spalten vor dem Ziel entfernen oder kürzen, oder die Zeile aufteilen.',
  document_refused: 'Zeile <row:#>: <cause> (<values>)',
  collection_unknown: 'Im Konnektor `<connector>` gibt es keine Collection `<collection>`',
  collection_unknown_fix: 'Die Liste der Collections ansehen; Groß- und Kleinschreibung zählt.',
  extended_json_invalid: '<path> ist kein Wert der Form `<form>`: <value>',
  extended_json_invalid_fix:
    'Einen Zeitpunkt schreiben: `{$date: "2026-03-01T00:00:00Z"}`. Ein Cursor ist vor dem ersten Lauf null: `state.cursor` ein `initial` geben.',
  extended_json_invalid_fix_2: 'Siehe Extended JSON in der Dokumentation von MongoDB.',
  date_out_of_range: 'Das Feld `<key>` enthält ein Datum außerhalb dessen, was ein Zeitpunkt sein kann',
  date_out_of_range_fix: 'Das Feld mit `projection` weglassen oder solche Dokumente mit `filter`.',
  fault_of_headgate:
    'Das ist ein Fehler von Headgate, nicht der Aufgabe. Mehr steht im Protokoll des Laufs und in dem des Executors.',
  at_path: '<path>: <cause>',
  field_without_name: 'Ein Dokument hat ein Feld ohne Namen: <value>',
  field_without_name_fix: 'Die gewünschten Felder unter `projection` nennen.',
  queries_only_read: 'Abfragen lesen nur.',
  write_find_or_aggregate:
    '`{"find": "orders", "filter": {}}` oder `{"aggregate": "orders", "pipeline": []}` schreiben.',
  mysql_table_name_invalid: '`<table>` ist kein Tabellenname',
  mysql_table_name_invalid_fix: '`table` oder `database.table` schreiben.',
  mysql_driver_missing: 'Der MySQL-Treiber lässt sich nicht laden: <cause>',
  shapes_unreadable: 'Die Spalte `<key>` enthält Geometrien, die sich nicht unverändert lesen lassen',
  shapes_unreadable_fix:
    'Als Text lesen: ST_AsText(<key>) AS <key>. Eine vollständige Tabelle (`table`) wird automatisch so gelesen.',
  see_server_log: 'Der Server nennt den Grund; mehr steht in seinem Protokoll.',
  row_larger_than_packet: 'Zeile <row:#> hat <size:#> Byte; der Server nimmt keine Anweisung mit mehr als <most:#>',
  row_larger_than_packet_fix: 'max_allowed_packet auf dem Server erhöhen oder die große Spalte ausschließen.',
  server_would_change: '<place>Der Server würde den Wert ändern: <text>',
  server_would_change_fix:
    'In der Aufgabe mit `derive` oder `cast` runden oder kürzen, oder die Spalte der Tabelle erweitern.',
  row_refused_with_values: 'Zeile <row:#>: <cause> (<values>)',
  trigger_refused:
    'Ein Trigger der Tabelle weist ab. Solche Zeilen vor dem Ziel mit einem `expect`-Schritt zurückweisen.',
  row_with_other_key:
    'Zeilen <first:#> bis <first2:#>: Eine davon hat einen anderen Schlüssel als eine Zeile der Tabelle, mit der sie den Wert eines anderen eindeutigen Index teilt (Spalten <columns>)',
  row_with_other_key_fix:
    'Die Zeilen mit diesem gemeinsamen Wert finden und vor dem Ziel zurückweisen oder korrigieren. Groß- und Kleinbuchstaben können in der Tabelle als gleich gelten.',
  column_not_for_ranges: 'Die Spalte `<column>` von <table> lässt sich nicht in Bereiche teilen',
  column_not_for_ranges_fix: '`partition.column` ist eine Zahl, ein Datum oder ein Zeitpunkt.',
  query_returns_no_rows: 'Die Abfrage einer Quelle muss ein einziges SELECT sein, das Zeilen liefert',
  query_returns_no_rows_fix: 'Die Quelle liest nur; Schreiben ist Sache des Ziels.',
  column_unreadable: 'Die Spalte `<column>` ist <type>: Sie enthält <example><others>',
  mysql_commits_itself:
    'MySQL schreibt mit jeder Anweisung fest, die eine Tabelle verändert, wie CREATE, ALTER oder TRUNCATE. Sie kann daher nicht mit anderen in einer Transaktion stehen',
  mysql_commits_itself_fix:
    '`transaction: false` schreiben oder für jede Anweisung einen Hook, und sie so ordnen, dass jede für sich stehen kann.',
  column_not_widened:
    'Die Spalte `<name>` von <table> ist <type> und hat einen Vorgabewert oder andere Attribute, deshalb wird sie nicht automatisch erweitert',
  column_not_widened_fix:
    'Von Hand erweitern: ALTER TABLE … MODIFY COLUMN <name> <type> …, oder einen `cast`-Schritt einfügen.',
  engine_without_transactions:
    'Die Tabelle <table> verwendet die Storage-Engine <engine>, die keine Transaktionen hat: Ein fehlgeschlagener Lauf ließe einen Teil seiner Zeilen dort',
  engine_without_transactions_fix: 'Die Tabelle umstellen: ALTER TABLE <table> ENGINE = InnoDB',
  no_unique_index_fix_mysql: 'Ein Upsert findet seine Zeilen darüber: CREATE UNIQUE INDEX <value> ON <sql> (<key>)',
  table_written_by_other_run: 'Ein anderer Lauf schreibt seit mehr als <seconds> Sekunden in <table>',
  table_written_by_other_run_fix: 'Warten, bis er fertig ist, und noch einmal ausführen.',
  schema_unknown: 'Es gibt kein Schema `<schema>`',
  schema_unknown_fix: '`schema` in den Einstellungen des Konnektors prüfen.',
  source_rows_missing: 'Nicht alle Zeilen der Quelle wurden gelesen: <what>',
  source_rows_missing_fix:
    'Nichts wurde geschrieben. Noch einmal ausführen; wenn es wieder vorkommt, prüfen, was zwischen Headgate und dem Server liegt.',
  column_holds: 'Die Spalte `<column>` enthält <what>',
  column_holds_fix: 'Solche Zeilen mit einer Abfrage herausfiltern oder die Spalte dort in Text umwandeln.',
  no_unique_index_fix_postgres: 'Ein Upsert findet seine Zeilen darüber: CREATE UNIQUE INDEX ON <sql> (<key>)',
  partition_column_type: '`partition` braucht eine Zahl, ein Datum oder einen Zeitpunkt; `<column>` ist <type>',
  partition_column_type_fix: 'Eine andere Spalte wählen oder `partition` entfernen.',
  rows_not_copied: 'Die Zeilen ließen sich nicht nach <table> kopieren: <text>',
  rows_not_copied_fix:
    'Eine Funktion in der Abfrage der Quelle oder ein Trigger der Tabelle hat diesen Fehler ausgelöst.',
  trigger_or_function_refused:
    'Ein Trigger oder eine Funktion der Tabelle weist ab. Solche Zeilen vor dem Ziel mit einem `expect`-Schritt zurückweisen.',
  row_refused: '<row><cause>',
  server_sent_other: 'Der Server schickte <what>, was er nicht angekündigt hatte',
  server_sent_other_fix:
    'Nichts wurde geschrieben. Noch einmal ausführen; ein Proxy zwischen Headgate und dem Server kann beschädigen, was durch ihn läuft.',
  queries_only_read_use_task: 'Abfragen lesen nur. Für Änderungen eine Aufgabe der Art `sql` verwenden.',
  bind_without_value: '`:<name>` hat keinen Wert',
  bind_without_value_fix: 'Unter `parameters` angeben.',
  type_not_on_executor: 'Dieser Executor kennt keine Konnektoren vom Typ <type>',
  type_not_on_executor_fix: 'Er kennt <types>. Ein neuerer Executor kennt vielleicht mehr.',
  connector_not_queryable: 'Der Konnektor `<connector>` (<type>) lässt sich nicht abfragen',
  connector_not_queryable_fix: 'Einen Konnektor vom Typ <types> wählen.',
  database_of_connector_missing: 'Die Datenbank des Konnektors `<connector>` existiert nicht: <path>',
  database_of_connector_missing_fix:
    'Sie wird angelegt, wenn zum ersten Mal eine Aufgabe in sie schreibt. Den Pfad in den Einstellungen des Konnektors prüfen.',
  no_unique_index_fix_sqlite: 'Ein Upsert findet seine Zeilen darüber: CREATE UNIQUE INDEX <value> ON <table> (<key>)',
  sqlite_table_name_fix: '`table` oder `main.table` schreiben.',
  query_not_one_select: 'Die Abfrage einer Quelle muss ein einziges SELECT sein',
  sqlite_statement_refused: 'Aufgaben dürfen in SQLite kein <statement> verwenden',
  sqlite_table_not_writable: '`<table>` ist keine Tabelle, in die SQLite schreiben lässt',
  sqlite_table_not_writable_fix: 'Den bloßen Namen der Tabelle schreiben.',
  row_refused_of_values: 'Zeile <row:#>: <cause> (<values>)',
  connector_runs_no_sql: 'Der Konnektor `<connector>` (<type>) führt keine SQL-Anweisungen aus',
  connector_runs_no_sql_fix: 'Einen Konnektor vom Typ <types:oder> zuordnen.',
}
