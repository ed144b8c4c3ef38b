import type { warnings as english } from '../../../../contract/run-messages/warnings.ts'

export const warnings: Record<keyof typeof english, string> = {
  columns_renamed: '<place>: Spaltennamen fehlen oder kommen mehrfach vor: <renamed:,>',
  column_renamed: '`<written>` in Spalte <number> heißt `<name>`',
  column_named: 'Spalte <number> heißt `<name>`',
  and_others: '…',
  place_header: '<file>, Kopfzeile',
  place_row: '<where>, Zeile <number>',
  kind_numbers: 'Zahlen',
  kind_texts: 'Texte',
  kind_booleans: 'Wahrheitswerte',
  kind_moments: 'Datumswerte',
  kind_times: 'Tageszeiten',
  kind_uuids: 'UUIDs',
  kind_bytes: 'Bytes',
  kind_documents: 'Listen oder Objekte',
  error_cells_null: 'Zellen, die einen Fehler zeigen, werden als NULL gelesen: <kinds:,>',
  error_cells: '<count:#> × <kind>',
  formulas_without_result:
    'Formeln ohne gespeichertes Ergebnis werden als NULL gelesen: <count:#>. Öffnen und speichern Sie die Arbeitsmappe in Excel.',
  merged_cells_null:
    '<where>: <cells:#> Zellen von <ranges:#> verbundenen Bereichen werden als NULL gelesen, denn nur die erste Zelle eines Bereichs hat einen Wert. `xlsx.merged_cells: repeat` wiederholt ihn.',
  merged_cell_null:
    '<where>: Eine Zelle eines verbundenen Bereichs wird als NULL gelesen, denn nur die erste Zelle eines Bereichs hat einen Wert. `xlsx.merged_cells: repeat` wiederholt ihn.',
  delimiter_unlikely:
    'Die Kopfzeile wird als eine einzige Spalte gelesen: `<column>`. Wenn <delimiter> die Spalten trennt, setzen Sie `csv: {delimiter: <delimiter>}`.',
  type_of_no_column: 'Die Dateien haben keine Spalte `<column>`; ihr Typ unter `columns` gilt für nichts',
  text_of_detected_type:
    'Die Spalte `<column>` wurde als <type> erkannt und geht in eine Textspalte: ihre Werte stehen dort, wie <type> sie schreibt. Um den Text der Datei zu behalten, die Spalte in der Quelle als `string` angeben.',
  file_taken_for_no_rows: '<file> ist leer: gelesen als keine Zeilen der Spalten, die die Aufgabe nennt',
  entity_not_described: 'Der Dienst beschreibt bei `<entity>` nichts: Typen folgen aus den Werten',
  kind_not_previewed: 'Aufgaben der Art `<kind>` haben keine Vorschau, denn sie täte ihre Arbeit',
  kind_not_previewed_fix: 'Das YAML wird trotzdem geprüft. Führen Sie die Aufgabe aus, um zu sehen, was sie tut.',
  of_input: 'Eingabe <input>: <remark>',
  rows_without_cursor:
    'Zeilen ohne `<column>`: <count:#>. Ein späterer Lauf liest sie nur wieder, wenn seine Quelle sie liefert.',
  rows_with_odd_cursor: 'Zeilen, deren `<column>` unendlich oder keine Zahl ist: <count:#>. Der Cursor lässt sie aus.',
}
