import type { steps as english } from '../../../../contract/run-messages/steps.ts'

export const steps: Record<keyof typeof english, string> = {
  rerun_adds_column: 'Die Zeilen haben eine Spalte `<column>`, die es in Lauf <run> nicht gab',
  rerun_adds_column_fix:
    'Sie aus den Zeilen entfernen, oder die Daten in der Quelle korrigieren und die Aufgabe starten.',
  no_column_left: 'Es bliebe keine Spalte übrig',
  no_column_left_fix: 'Mindestens eine Spalte behalten.',
  no_records_but: 'Die Quelle lieferte keine Datensätze und damit keine Spalten, aber <why>',
  no_records_but_fix:
    'Die Spalten mit ihren Typen unter `columns` der Quelle nennen: Dann sind keine Datensätze eine leere Tabelle.',
  expression_returns_rows: 'Spalte `<to>`: Der Ausdruck liefert Zeilen, keinen Wert',
  expression_returns_rows_fix:
    'Ein Ausdruck liefert einen Wert je Zeile. Für mehrere Zeilen aus einer `explode` oder einen `sql`-Schritt verwenden.',
  in_column: 'Spalte `<column>`: <cause>',
  expectation_broken: 'Erwartung <name>: <count:#> von <rows:#> Zeilen erfüllen sie nicht (<rule>)',
  too_few_rows: 'Erwartung <name>: <rows:#> Zeilen kamen an, mindestens <min:#> waren erwartet',
  too_many_rows: 'Erwartung <name>: <rows:#> Zeilen kamen an, höchstens <max:#> waren erwartet',
  expectation_failed_first: '<cause>; die erste: <row>',
  check_broken: '<name>: <check> gilt nicht',
  check_broken_by: '<name>: <check> gilt nicht (<values>)',
  columns_empty: '<name>: <columns:,>',
  column_empty: 'die Spalte `<column>` ist leer',
  key_column_empty: 'die Schlüsselspalte `<column>` ist leer',
  row_repeated: '<name>: <values> kam schon vor; behalten wurde die erste solche Zeile',
  lookup_found_nothing: 'in der Eingabe `<input>` gibt es nichts für <key>',
  expectation_failed_fix:
    'Die Daten oder die Erwartung korrigieren. `on_fail: quarantine` weist die Zeilen zurück, `on_fail: warn` schreibt nur eine Warnung ins Protokoll.',
  column_has_no_lists: 'Die Spalte `<column>` ist <type>: Sie enthält keine Listen',
  column_has_no_lists_fix: `Wenn ihr Text JSON ist, zuerst umwandeln: \`cast: {<column>: json}\`. Anderer Text wird mit \`derive: {<column>: "string_split(<column>, ';')"}\` geteilt.`,
  column_has_no_lists_fix_2: 'Nur Listen haben Elemente.',
  column_has_no_objects: 'Die Spalte `<column>` ist <type>: Sie enthält keine Objekte',
  column_has_no_objects_fix: 'Wenn ihr Text JSON ist, zuerst umwandeln: `cast: {<column>: json}`.',
  column_has_no_objects_fix_2: 'Nur Objekte werden aufgelöst; Listen gehen zuerst durch `explode`.',
  value_not_object: 'Die Spalte `<part>` enthält <row>, was kein Objekt ist',
  value_not_object_fix:
    'Listen gehen zuerst durch `explode`. `flatten: true` lässt Spalten, die anderes als Objekte enthalten, unverändert.',
  after_flattening: '<cause> nach dem Auflösen',
  after_flattening_fix:
    'Einen anderen `separator` als „<separator>“ wählen oder die Spalte zuerst umbenennen oder entfernen. Namen müssen sich in mehr als Groß- und Kleinschreibung unterscheiden.',
  flatten_too_many_columns: 'Das Auflösen ergäbe mehr als <most:#> Spalten',
  flatten_too_many_columns_fix: 'Die aufzulösenden `columns` nennen oder `depth` senken.',
  too_many_keys: 'In den Objekten von <value> gibt es mehr als <most:#> Schlüssel',
  too_many_keys_fix:
    'Die Schlüssel scheinen Daten zu sein. Mit `map` Zeilen daraus machen: $each(…, function($value, $key) {{"key": $key, "value": $value}}).',
  key_has_nul: 'Ein Schlüssel enthält ein NUL-Zeichen: <name>',
  key_has_nul_fix: 'Keine Spalte kann so heißen. Den Schlüssel mit `map` umbenennen.',
  lookup_types_differ:
    'Die Spalte `<from>` ist <type>, `<to>` der Eingabe `<input>` aber <inputType>: Sie sind nie gleich',
  lookup_types_differ_fix:
    'Der Spalte vorher in einem `cast`-Schritt den Typ der Eingabe geben oder den Typ der Eingabe unter `columns` deklarieren.',
  lookup_adds_column_twice: 'Die Eingabe `<input>` würde eine zweite Spalte `<clash>` hinzufügen',
  lookup_adds_column_twice_fix:
    'Angeben, welche Spalten unter welchem Namen hinzukommen, z. B. `columns: {<input>_<clash>: <from>}`, oder die andere zuerst entfernen.',
  lookup_many_rows: 'Die Eingabe `<input>` hat <count:#> Zeilen für <key>',
  lookup_many_rows_fix:
    'Die Eingabe korrigieren, in `on` eine unterscheidende Spalte hinzufügen oder mit `on_many: first` die erste nehmen.',
  lookup_finds_nothing: '<count:#> von <rows:#> Zeilen finden in der Eingabe `<input>` nichts, zum Beispiel <example>',
  lookup_finds_nothing_fix:
    'Die Daten korrigieren oder `on_missing` für solche Zeilen setzen: `"null"`, `drop` oder `quarantine`.',
  map_without_columns: 'Der Ausdruck lieferte keine Zeilen, und sein Text zeigt ihre Spalten nicht',
  map_without_columns_fix:
    'In der langen Form mit Typen nennen: `map: {expression: …, columns: {id: integer}}`. Dann sind keine Zeilen eine leere Tabelle.',
  column_is_computed: 'Die Spalte `<to>` von <table> wird von der Datenbank berechnet',
  column_is_computed_fix: 'Die Spalte in der Aufgabe vor dem Ziel entfernen.',
  table_lacks_columns: 'Der Tabelle <table> fehlt die Spalte `<columns>`',
  table_lacks_columns_fix:
    'Die Spalten der Tabelle hinzufügen, in der Aufgabe entfernen oder `schema.columns: evolve` (fügt sie hinzu) oder `schema.columns: discard` (lässt sie weg) setzen.',
  table_has_no_column: 'Die Tabelle <table> hat keine der Spalten der Aufgabe (`<columns>`)',
  table_has_no_column_fix: 'Die Spalten umbenennen oder `schema.columns: evolve` setzen.',
  column_type_differs: 'Die Spalte `<to>` von <table> ist <type>; die Aufgabe liefert <given>',
  column_type_differs_fix: '<ways:oder>.',
  keys_taken_for_equal:
    'Für die Tabelle <table> sind zwei verschiedene Schlüssel gleich: `<one>` und `<other>` (<columns>)',
  keys_taken_for_equal_fix:
    'Nichts wurde geschrieben. Der Spalte eine Sortierung geben, die sie unterscheidet, oder die Schlüssel vor dem Ziel mit einem `derive`-Schritt angleichen.',
  cast_to_keep_digits:
    'Die Spalte in einem `cast`-Schritt umwandeln: in `decimal(38,0)` oder `string`, um jede Stelle zu behalten.',
  rows_kept: 'Die Tabelle <table> behielt <rows>, obwohl `<mode>` sie löscht: Sie hat <rule>',
  rows_kept_fix: '`mode: upsert` verwenden oder die Regel entfernen oder ausschalten, die gelöschte Zeilen behält.',
  connector_has_no_tables: 'Der Konnektor `<connector>` (<type>) hat keine Tabellen zum Schreiben',
  connector_has_no_tables_fix: 'Einen Konnektor vom Typ <types:oder> zuordnen.',
  widen_table_column: '`schema.types: widen` setzen, um die Spalte der Tabelle zu erweitern',
  change_column_to_text: 'die Spalte der Tabelle in TEXT ändern, was SQLite nicht kann, solange die Tabelle Zeilen hat',
  recreate_column: '`schema.types: recreate` setzen, um der Spalte den Typ der Zeilen zu geben',
  add_cast_step: 'Einen `cast`-Schritt für `<from>` hinzufügen',
  cast_in_sql:
    'In einem `sql`-Schritt umwandeln (CAST("<column>" AS <type>)), die Spalte zu JSON machen, das alles aufnimmt',
  reject_or_upsert:
    'Solche Zeilen vor dem Ziel mit einem `expect`-Schritt zurückweisen (`on_fail: quarantine`) oder `mode: upsert` verwenden.',
  target_has_fewer: 'Das Ziel hat <taken:#> der <sent:#> Zeilen, die ihm geschickt wurden',
  table_took_fewer: 'Die Tabelle <table> nahm <taken:#> von <sent:#> Zeilen an',
  distinct_keys_differ: '<count:#> Zeilen haben einen eindeutigen Schlüssel, nicht <expected:#>',
  table_refused_it: 'Die Tabelle <table> hat sie abgewiesen: <cause>',
  table_refused_row: 'Die Tabelle <table> hat eine Zeile abgewiesen: <cause>',
  totals_need_sql:
    'Ein Ausdruck sieht eine Zeile. Summen brauchen einen `sql`-Schritt mit GROUP BY oder ein Fenster: sum(x) OVER ().',
}
