import type { files as english } from '../../../../contract/run-messages/files.ts'

export const files: Record<keyof typeof english, string> = {
  csv_not_separable:
    '<shown> lässt sich nicht in Zeilen teilen: <count:#> Zeilen sind vorhanden, <found:#> wurden gefunden',
  csv_not_separable_fix:
    'Anführungszeichen, die nicht zusammenpassen, oder Zeilen von mehr als 4 MiB verdecken das Ende von Zeilen. `on_error: fail` nennt die erste solche Zeile.',
  records_file_unwritable: 'Die Datensätze lassen sich nicht in <file> ablegen',
  records_file_unwritable_fix: 'Geben Sie auf dem Datenträger des Datenordners des Executors Speicherplatz frei.',
  file_fault: '<file>, <place>: <cause>',
  file_fault_fix:
    'Korrigieren Sie die Datei. Bei JSON Lines schickt `on_error: quarantine` solche Zeilen zu den abgewiesenen des Laufs.',
  separators_differ:
    '<file> nennt in der ersten Zeile <delimiter> als Trennzeichen, aber das von <file2> ist <delimiter2>',
  separators_differ_fix: 'Lesen Sie Dateien mit verschiedenen Trennzeichen in getrennten Aufgaben.',
  empty_line_lost: 'die Zeile ist leer: In einer Datei mit nur einer Spalte kann sie nur als NULL gelesen werden',
  empty_line_lost_fix: 'Fügen Sie "" zu `csv.null_values` hinzu, oder entfernen Sie leere Zeilen aus der Datei.',
  records_mixed: '<file>, <place>: Der Datensatz unterscheidet sich von denen davor: Manche sind Objekte, andere nicht',
  lines_mixed_fix:
    'Jede Zeile muss ein Objekt sein. Mit `on_error: quarantine` kommen andere Zeilen zu den abgewiesenen Zeilen des Laufs.',
  records_mixed_fix: 'Jeder Datensatz muss ein Objekt sein. Vergleichen Sie `records` mit der Datei.',
  records_path_empty: '<file> hat bei `<path>` nichts',
  records_path_empty_fix: 'Vergleichen Sie `records` mit der Datei: Schlüssel mit einem Punkt dazwischen.',
  parquet_too_deep: '<file> verschachtelt seine Spalten tiefer als <most> Ebenen',
  parquet_too_deep_fix:
    'Prüfen Sie das Programm, das die Datei schreibt: Solche Spalten sind höchstwahrscheinlich ein Fehler.',
  cell_too_long:
    'Die Spalte `<column>` enthält einen Text von <length:#> Zeichen (Zeile <row:#> des Blatts); eine Zelle in Excel fasst <most:#>',
  cell_too_long_fix:
    'Kürzen Sie den Text in einem `derive`-Schritt, entfernen Sie die Spalte, oder schreiben Sie Parquet oder CSV. Die Datei ist unverändert.',
  sheet_without_header: '<where> ist leer: Es gibt keine Zeile mit den Namen der Spalten',
  sheet_without_header_fix:
    'Prüfen Sie `xlsx.sheet` und `xlsx.skip_rows`; schreiben Sie ohne eine solche Zeile `header: false`.',
  sheet_column_without_name: '<where>: Die Spalte <column> hat keinen Namen, aber Zeile <number> hat dort einen Wert',
  sheet_column_without_name_fix:
    'Schreiben Sie über Spalte <column> einen Namen, oder entfernen Sie den Inhalt dort. Stehen die Namen weiter unten, überspringt `xlsx.skip_rows` die Zeilen darüber. Eine verbundene Überschrift benennt nur ihre erste Spalte, es sei denn, `xlsx.merged_cells` ist `repeat`.',
  sheets_empty: 'Die Blätter von `<glob>` sind leer, deshalb sind keine Spalten bekannt',
  sheets_empty_fix:
    'Prüfen Sie `xlsx.sheet` und `xlsx.skip_rows`, oder nennen Sie die Spalten mit ihren Typen unter `columns`.',
  workbook_locked: '<path> ist mit einem Kennwort geschützt',
  workbook_old: '<path> ist eine Arbeitsmappe der alten Art (.xls), keine .xlsx',
  workbook_locked_fix: 'Speichern Sie sie ohne Kennwort.',
  workbook_locked_fix_2: 'Öffnen Sie sie in Excel oder LibreOffice, und speichern Sie sie als .xlsx.',
  workbook_unreadable: '<path> lässt sich nicht als Excel-Arbeitsmappe lesen: <cause>',
  workbook_unreadable_fix:
    'Öffnen Sie sie in Excel oder LibreOffice, und speichern Sie sie als .xlsx, oder setzen Sie `format`, wenn es eine andere Art von Datei ist.',
  sheet_full: 'Ein Excel-Blatt fasst höchstens <most:#> <what>',
  sheet_full_fix:
    'Parquet oder CSV schreiben, oder mit einem `filter`-Schritt weniger Zeilen. Die Datei ist unverändert.',
  sheet_too_large: 'Das Blatt würde größer als 4 GiB',
  sheet_too_large_fix: 'Schreiben Sie Parquet oder CSV. Die Datei ist unverändert.',
  value_out_of_type: 'Die Spalte `<column>` enthält <value>, was <type> nicht aufnehmen kann',
  bytes_not_text: 'Die Spalte `<column>` enthält Bytes, die kein UTF-8-Text sind',
  bytes_not_text_fix: 'Wandeln Sie die Spalte in der Abfrage der Quelle um, oder lesen Sie sie als Bytes.',
  sqlite_bytes_not_text_fix:
    'Korrigieren Sie den Text, oder lesen Sie seine Bytes mit einer Abfrage: CAST(<column> AS BLOB) AS <column>.',
  match_by_name:
    'Korrigieren Sie die Datei, oder setzen Sie `union_by_name: true`: Dann werden Spalten nach Namen zugeordnet, und fehlende sind NULL.',
  no_file_no_columns:
    'Keine Datei passt auf `<glob>` in <place> (Konnektor `<connector>`), deshalb sind keine Spalten bekannt',
  no_file_no_columns_fix:
    'Deklarieren Sie bei `new_only` `columns`: Dann ist ein Lauf ohne Datei ein Lauf ohne Zeilen.',
  file_incomplete: '<path> <what>',
  file_incomplete_fix:
    '<why> Beschaffen Sie die vollständige Datei, und führen Sie die Aufgabe noch einmal aus. Nichts wurde geschrieben.',
  parquet_metadata_damaged: '<shown> ist beschädigt: Die Metadaten lassen sich nicht lesen',
  parquet_metadata_damaged_fix:
    'Beschaffen Sie die vollständige Datei, und führen Sie die Aufgabe noch einmal aus. Nichts wurde geschrieben.',
  csv_is_packed: '<file> ist mit gzip komprimiert, aber der Name endet nicht auf `.gz`',
  csv_is_packed_fix: 'Die Datei umbenennen oder entpacken.',
  csv_is_utf16: '<file> ist in UTF-16: die Datei beginnt mit dessen Byte-Reihenfolge-Marke',
  csv_is_utf16_fix: 'Setzen Sie `csv: {encoding: utf-16}`.',
  csv_not_latin1: 'Die Datei ist kein Text in latin-1',
  byte_not_latin1: 'das Byte <byte> ist in latin-1 kein Zeichen',
  not_latin1_fix:
    'Setzen Sie `csv: {encoding: windows-1252}`. Dort stehen Zeichen wie €, wo latin-1 Steuerzeichen hat.',
  bytes_not_in_encoding: '<shown>, Zeile <at>: Die Bytes sind kein Text in <encoding>',
  bytes_not_in_encoding_fix: 'Prüfen Sie `csv.encoding`, oder beschaffen Sie die Datei in UTF-8.',
  too_many_remembered: '`new_only` merkt sich höchstens <most:#> Dateien; in <place> sind es <count:#>',
  too_many_remembered_fix:
    'Verschieben Sie schon gelesene Dateien, oder fassen Sie das Muster enger: Dateien, die nicht mehr da sind, werden vergessen.',
  quarantine_not_for_format:
    '`on_error: quarantine` wirkt auf Zeilen von CSV, JSON Lines und Excel, nicht von <format>',
  quarantine_not_for_format_fix:
    'Entfernen Sie die Angabe: Eine beschädigte Datei dieser Art lässt sich nicht teilweise lesen.',
  inline_has_no_columns: 'Die Inline-Zeilen haben keine Spalten',
  inline_without_columns_fix: 'Zeilen schreiben oder `columns` mit ihren Typen.',
  record_too_deep: 'Ein Datensatz ist tiefer als <most> Ebenen verschachtelt',
  record_too_deep_fix: 'Weniger Felder lesen oder keine, die so tief verschachtelt sind.',
  records_folder_unwritable: 'Die Datensätze lassen sich nicht in <tempDir> ablegen',
  no_records_no_columns: 'Die Quelle lieferte keine Datensätze und damit keine Spalten',
  no_records_no_columns_fix:
    'Nennen Sie die Spalten mit ihren Typen unter `columns`: Dann ist eine leere Antwort eine leere Tabelle.',
  connector_reads_no_sql: 'Der Konnektor `<connector>` (<type>) lässt sich nicht mit SQL lesen',
  files_differ: '<file> passt nicht zu <file2>, der ersten Datei. Unterschied: <difference>',
  parquet_types_joined: 'Die Spalte `<column>` ist in den Dateien <types:,> und wird als <type> gelesen',
  parquet_types_differ:
    'Die Spalte `<column>` ist in <file> <type>, in <file2> aber <type2>, und kein Typ nimmt alle Werte beider auf',
  parquet_types_differ_fix:
    'Geben Sie den Typ unter `columns` der Quelle an, etwa `<column>: string`: Dann wird jeder Wert umgewandelt und einer, der nicht passt, genannt.',
  parquet_decimal_too_wide:
    '<file>: Die Spalte `<column>` enthält Dezimalzahlen mit <digits> Stellen; gelesen werden bis zu 38',
  parquet_decimal_too_wide_fix: 'Schreiben Sie die Datei mit einer schmaleren Dezimalzahl oder mit Text.',
  moment_beyond_microseconds:
    'Ein Zeitpunkt in Millisekunden liegt außerhalb des Bereichs von Mikrosekunden (Jahre -290308 bis 294247)',
  parquet_moment_beyond:
    '<file>: Die Spalte `<column>` enthält einen Zeitpunkt in Millisekunden, der außerhalb des Bereichs von Mikrosekunden liegt (Jahre -290308 bis 294247)',
  parquet_moment_beyond_fix:
    'Korrigieren Sie den Wert in der Datei, oder schreiben Sie die Spalte als ganze Zahlen. Wird die Spalte nicht gebraucht, entfernen Sie sie mit einem `drop`-Schritt direkt nach der Quelle.',
  parquet_nanoseconds:
    'Die Spalte `<column>` ist in Nanosekunden gespeichert und wird in Mikrosekunden gelesen: feinere Teile einer Sekunde werden abgeschnitten',
  ends_in_character: 'endet mitten in einem Zeichen',
  file_not_written_to_end: 'Die Datei wurde nicht zu Ende geschrieben.',
  compressed_cut_off: 'ist unvollständig: Die komprimierten Daten sind abgeschnitten',
  file_not_transferred: 'Die Datei wurde nicht vollständig geschrieben oder übertragen.',
  file_is_damaged: 'ist beschädigt: <error>',
  content_changed: 'Der Inhalt hat sich unterwegs verändert.',
  extra_columns: 'zusätzlich `<columns>`',
  missing_columns: 'es fehlt `<columns>`',
  different_columns: 'andere Spalten: <differences:,>',
  different_order: 'dieselben Spalten in anderer Reihenfolge: `<columns>`',
  checksum_wrong: 'die Prüfsumme passt nicht zum Inhalt',
  length_wrong: 'die Länge passt nicht zum Inhalt',
  trailing_data: 'auf die komprimierten Daten folgen Daten, die kein gzip sind',
  file_empty: '<file> ist leer: es fehlt <missing>',
  file_empty_fix:
    'Vielleicht ist die Datei noch unterwegs. Beschaffen Sie die vollständige Datei, oder entfernen Sie sie, wenn sie keine Zeilen haben soll.',
  file_empty_csv_fix:
    'Vielleicht ist die Datei noch unterwegs. Beschaffen Sie die vollständige Datei, oder entfernen Sie sie, wenn sie keine Zeilen haben soll. Sind `columns` deklariert, hat eine leere Datei keine Zeilen.',
  list_not_closed: 'endet nicht mit dem `]` der Liste',
  list_not_closed_fix: 'Die Datei wurde nicht vollständig geschrieben oder enthält mehr als die Liste.',
  at_line: '<file>, Zeile <line>: <cause>',
  at_row: '<file>, Zeile <row:#>: <cause>',
  quote_not_closed: '<file>: Ein Anführungszeichen ist bis zum Ende der Datei nicht geschlossen',
  quote_opens_here: 'ein Anführungszeichen öffnet und ist bis zum Ende der Datei nicht geschlossen: <text>',
  quote_opens: 'ein Anführungszeichen öffnet und ist bis zum Ende der Datei nicht geschlossen',
  quote_opens_fix:
    'Schließen Sie das Anführungszeichen, oder prüfen Sie `csv.quote`. Die Zeilen danach lassen sich nicht unterscheiden.',
  line_ending_differs: 'die Zeile endet mit <ending>, die erste aber mit <first>',
  line_ending_differs_fix:
    'Speichern Sie die Datei mit demselben Zeilenende in jeder Zeile. Ein Zeilenende in einem Wert muss in Anführungszeichen stehen.',
  text_after_quotes: 'auf einen Wert in Anführungszeichen folgt Text: <text>',
  text_after_quotes_of: 'auf einen Wert in Anführungszeichen, der in Zeile <line> beginnt, folgt Text',
  text_after_quotes_fix:
    'Verdoppeln Sie Anführungszeichen in Werten, oder prüfen Sie `csv.quote` und `csv.escape`. `on_error: quarantine` schickt solche Zeilen zu den abgewiesenen des Laufs.',
  rejected_row_too_long:
    'die Zeile geht wegen ihrer Anführungszeichen bis Zeile <last>; ihre <bytes:#> Byte lassen sich nicht abweisen, höchstens <most:#> werden aufbewahrt',
  row_end_unclear_fix:
    'Verdoppeln Sie Anführungszeichen in Werten, oder prüfen Sie `csv.quote` und `csv.escape`. `on_error: quarantine` kann keine Zeile abweisen, deren Ende unklar ist: andere gingen mit ihr verloren.',
  row_too_long: 'die Zeile hat <bytes:#> Byte, erlaubt sind <most:#>: <text>',
  row_too_long_fix:
    'Prüfen Sie `csv.quote` und `csv.delimiter`. `on_error: quarantine` schickt solche Zeilen zu den abgewiesenen des Laufs.',
  line_of_nul_bytes: 'die Zeile besteht aus NUL-Bytes (0x00)',
  line_of_nul_bytes_fix:
    'Die Datei wurde höchstwahrscheinlich nicht vollständig geschrieben. Beschaffen Sie die vollständige Datei, oder entfernen Sie die Bytes nach der letzten vollständigen Zeile.',
  sheet_unknown: '<file> hat kein Blatt `<sheet>`',
  sheets_are: 'Vorhanden: `<sheets>`.',
  sheets_are_near: 'War `<near>` gemeint? Vorhanden: `<sheets>`.',
  row_fields_differ: 'die Zeile hat <found> Felder, die Kopfzeile hat <expected>',
  row_over_limit: 'die Zeile hat <bytes:#> Bytes, erlaubt sind <most:#>',
  text_not_utf8: 'der Text ist kein gültiges UTF-8',
  text_after_quote: 'nach einem Wert in Anführungszeichen folgt Text',
  line_no_object: 'die Zeile ist kein Objekt',
  key_twice: 'den Schlüssel `<key>` gibt es dort zweimal',
  key_nameless: 'ein Schlüssel hat keinen Namen',
  json_broken: 'fehlerhaftes JSON',
  json_line_ends: 'fehlerhaftes JSON: die Zeile endet mittendrin',
  json_file_ends: 'fehlerhaftes JSON: die Datei endet mittendrin',
  json_cut_off: 'fehlerhaftes JSON: es endet zu früh',
  json_no_list: 'unter dem Pfad von `records` ist keine Liste',
  json_too_deep: 'es ist mehr als <most> Ebenen tief verschachtelt',
  json_escape: 'ein Zeichen ist so maskiert, wie JSON es nicht kennt',
  json_half_character: 'ein halbes Surrogatpaar ist kein Zeichen',
  json_control: 'ein Text enthält ein Steuerzeichen oder ein Zeilenende',
  json_no_number: '<text> ist keine JSON-Zahl',
  at_byte: '<cause> bei Byte <byte:#>',
  place_line: 'Zeile <line>',
  place_record: 'Datensatz <record>',
  row_unreadable: 'die Zeile lässt sich mit diesen Einstellungen nicht als CSV lesen',
  row_field_count: 'die Zeile hat <found> Felder, die Kopfzeile hat <expected>: <text>',
}
