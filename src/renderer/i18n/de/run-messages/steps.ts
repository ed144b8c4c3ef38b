import type { steps as english } from '../../../../contract/run-messages/steps.ts'

export const steps: Record<keyof typeof english, string> = {
  rerun_adds_column: 'Die Zeilen haben eine Spalte `<column>`, die es in Lauf <run> nicht gab',
  rerun_adds_column_fix:
    'Entfernen Sie sie aus den Zeilen, oder korrigieren Sie die Daten in der Quelle, und starten Sie die Aufgabe.',
  no_column_left: 'Es bliebe keine Spalte übrig',
  no_column_left_fix: 'Behalten Sie mindestens eine Spalte.',
  no_records_but: 'Die Quelle lieferte keine Datensätze und damit keine Spalten, aber <why>',
  no_records_but_fix:
    'Nennen Sie die Spalten mit ihren Typen unter `columns` der Quelle: Dann sind keine Datensätze eine leere Tabelle.',
  expression_returns_rows: 'Spalte `<to>`: Der Ausdruck liefert Zeilen, keinen Wert',
  expression_returns_rows_fix:
    'Ein Ausdruck liefert einen Wert je Zeile. Verwenden Sie für mehrere Zeilen aus einer `explode` oder einen `sql`-Schritt.',
  in_column: 'Spalte `<column>`: <cause>',
  expectation_broken: '<count:#> von <rows:#> Zeilen erfüllen die Erwartung „<name>“ nicht (<rule>)',
  too_few_rows: '<rows:#> Zeilen kamen an, Erwartung „<name>“ verlangt aber mindestens <min:#>',
  too_many_rows: '<rows:#> Zeilen kamen an, Erwartung „<name>“ erlaubt aber höchstens <max:#>',
  expectation_failed_first: '<cause>; die erste: <row>',
  check_broken: '<name>: erwartet <check>',
  check_broken_by: '<name>: erwartet <check>, erhalten <values>',
  columns_empty: '<name>: <columns:,>',
  column_empty: 'die Spalte `<column>` ist NULL',
  key_column_empty: 'die Schlüsselspalte `<column>` ist NULL',
  row_repeated: '<name>: <values> kam schon vor; behalten wurde die erste solche Zeile',
  lookup_found_nothing: 'in der Eingabe `<input>` gibt es nichts für <key>',
  expectation_failed_fix:
    'Korrigieren Sie die Daten oder die Erwartung. `on_fail: quarantine` weist die Zeilen ab; `on_fail: warn` schreibt nur eine Warnung ins Protokoll.',
  column_has_no_lists: 'Die Spalte `<column>` ist <type>: Sie enthält keine Listen',
  column_has_no_lists_fix: `Wenn ihr Text JSON ist, wandeln Sie ihn zuerst um: \`cast: {<column>: json}\`. Anderer Text wird mit \`derive: {<column>: "string_split(<column>, ';')"}\` geteilt.`,
  column_has_no_lists_fix_2: 'Nur Listen haben Elemente.',
  column_has_no_objects: 'Die Spalte `<column>` ist <type>: Sie enthält keine Objekte',
  column_has_no_objects_fix: 'Wenn ihr Text JSON ist, wandeln Sie ihn zuerst um: `cast: {<column>: json}`.',
  column_has_no_objects_fix_2: 'Nur Objekte werden aufgelöst; Listen gehen zuerst durch `explode`.',
  value_not_object: 'Die Spalte `<part>` enthält <row>, was kein Objekt ist',
  value_not_object_fix:
    'Listen gehen zuerst durch `explode`. `flatten: true` lässt Spalten, die anderes als Objekte enthalten, unverändert.',
  after_flattening: '<cause> nach dem Auflösen',
  after_flattening_fix:
    'Wählen Sie einen anderen `separator` als „<separator>“, oder benennen Sie die Spalte zuerst um, oder entfernen Sie sie. Namen müssen sich in mehr als Groß- und Kleinschreibung unterscheiden.',
  flatten_too_many_columns: 'Das Auflösen ergäbe mehr als <most:#> Spalten',
  flatten_too_many_columns_fix: 'Nennen Sie die aufzulösenden `columns`, oder senken Sie `depth`.',
  too_many_keys: 'In den Objekten von <value> gibt es mehr als <most:#> Schlüssel',
  too_many_keys_fix:
    'Die Schlüssel scheinen Daten zu sein. Machen Sie mit `map` Zeilen daraus: $each(…, function($value, $key) {{"key": $key, "value": $value}}).',
  key_has_nul: 'Ein Schlüssel enthält ein NUL-Zeichen: <name>',
  key_has_nul_fix: 'Keine Spalte kann so heißen. Benennen Sie den Schlüssel mit `map` um.',
  lookup_types_differ:
    'Die Spalte `<from>` ist <type>, `<to>` der Eingabe `<input>` aber <inputType>: Sie sind nie gleich',
  lookup_types_differ_fix:
    'Geben Sie der Spalte vorher in einem `cast`-Schritt den Typ der Eingabe, oder deklarieren Sie den Typ der Eingabe unter `columns`.',
  lookup_adds_column_twice: 'Die Eingabe `<input>` würde eine zweite Spalte `<clash>` hinzufügen',
  lookup_adds_column_twice_fix:
    'Geben Sie an, welche Spalten unter welchem Namen hinzukommen, z. B. `columns: {<input>_<clash>: <from>}`, oder entfernen Sie die andere zuerst.',
  lookup_many_rows: 'Die Eingabe `<input>` hat <count:#> Zeilen für <key>',
  lookup_many_rows_fix:
    'Korrigieren Sie die Eingabe, fügen Sie in `on` eine unterscheidende Spalte hinzu, oder nehmen Sie mit `on_many: first` die erste.',
  lookup_finds_nothing: '<count:#> von <rows:#> Zeilen finden in der Eingabe `<input>` nichts, zum Beispiel <example>',
  lookup_finds_nothing_fix:
    'Korrigieren Sie die Daten, oder setzen Sie `on_missing` für solche Zeilen: `"null"`, `drop` oder `quarantine`.',
  map_without_columns: 'Der Ausdruck lieferte keine Zeilen, und sein Text zeigt ihre Spalten nicht',
  map_without_columns_fix:
    'Nennen Sie sie in der langen Form mit Typen: `map: {expression: …, columns: {id: integer}}`. Dann sind keine Zeilen eine leere Tabelle.',
  column_is_computed: 'Die Spalte `<to>` von <table> wird von der Datenbank berechnet',
  column_is_computed_fix: 'Entfernen Sie die Spalte in der Aufgabe vor dem Ziel.',
  table_lacks_columns: 'Der Tabelle <table> fehlt die Spalte `<columns>`',
  table_lacks_columns_fix:
    'Fügen Sie die Spalten der Tabelle hinzu, entfernen Sie sie in der Aufgabe, oder setzen Sie `schema.columns: evolve` (fügt sie hinzu) oder `schema.columns: discard` (lässt sie weg).',
  table_has_no_column: 'Die Tabelle <table> hat keine der Spalten der Aufgabe (`<columns>`)',
  table_has_no_column_fix: 'Benennen Sie die Spalten um, oder setzen Sie `schema.columns: evolve`.',
  column_type_differs: 'Die Spalte `<to>` von <table> ist <type>; die Aufgabe liefert <given>',
  column_type_differs_fix: '<ways:oder>.',
  keys_taken_for_equal:
    'Für die Tabelle <table> sind zwei verschiedene Schlüssel gleich: `<one>` und `<other>` (<columns>)',
  keys_taken_for_equal_fix:
    'Nichts wurde geschrieben. Geben Sie der Spalte eine Sortierung, die sie unterscheidet, oder gleichen Sie die Schlüssel vor dem Ziel mit einem `derive`-Schritt an.',
  cast_to_keep_digits:
    'Wandeln Sie die Spalte in einem `cast`-Schritt um: in `decimal(38,0)` oder `string`, um jede Stelle zu behalten.',
  rows_kept: 'Die Tabelle <table> behielt <rows>, obwohl `<mode>` sie löscht: Sie hat <rule>',
  rows_kept_fix:
    'Verwenden Sie `mode: upsert`, oder entfernen Sie die Regel, die gelöschte Zeilen behält, oder schalten Sie sie aus.',
  connector_has_no_tables: 'Der Konnektor `<connector>` (<type>) hat keine Tabellen zum Schreiben',
  connector_has_no_tables_fix: 'Ordnen Sie einen Konnektor vom Typ <types:oder> zu.',
  widen_table_column: '`schema.types: widen` setzen, um die Spalte der Tabelle zu erweitern',
  change_column_to_text:
    'die Tabelle mit der Spalte als TEXT neu anlegen (SQLite kann den Typ einer Spalte nicht ändern)',
  recreate_column: '`schema.types: recreate` setzen, um der Spalte den Typ der Zeilen zu geben',
  add_cast_step: 'Einen `cast`-Schritt für `<from>` hinzufügen',
  cast_in_sql:
    'In einem `sql`-Schritt umwandeln (CAST("<column>" AS <type>)), die Spalte zu JSON machen, das alles aufnimmt',
  reject_or_upsert:
    'Weisen Sie solche Zeilen vor dem Ziel mit einem `expect`-Schritt ab (`on_fail: quarantine`), oder verwenden Sie `mode: upsert`.',
  target_has_fewer: 'Das Ziel hat <taken:#> der <sent:#> Zeilen, die ihm geschickt wurden',
  table_took_fewer: 'Die Tabelle <table> nahm <taken:#> von <sent:#> Zeilen an',
  distinct_keys_differ: '<count:#> Zeilen haben einen eindeutigen Schlüssel, nicht <expected:#>',
  table_refused_it: 'Die Tabelle <table> hat sie abgewiesen: <cause>',
  table_refused_row: 'Die Tabelle <table> hat eine Zeile abgewiesen: <cause>',
  totals_need_sql:
    'Ein Ausdruck sieht eine Zeile. Summen brauchen einen `sql`-Schritt mit GROUP BY oder ein Fenster: sum(x) OVER ().',
}
