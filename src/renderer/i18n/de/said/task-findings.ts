import type { Phrases } from '../../phrases.ts'

/** What is found in a task's text: arguments, connectors, columns, sources, steps, targets. */
export const taskFindings: Phrases = {
  // Head and kinds
  'Start with `etl: 1`, then `kind: pipeline`.': 'Mit `etl: 1` beginnen, dann `kind: pipeline`.',
  'Version <version> of the <language> language is not known; this program reads version 1.':
    'Version <version> der Sprache (<language>) ist nicht bekannt; dieses Programm liest Version 1.',
  'Write `etl: 1`, or update the program.': '`etl: 1` schreiben oder das Programm aktualisieren.',
  'There is no kind of task called `<name>`; it is one of <list>.':
    'Eine Art von Aufgabe namens `<name>` gibt es nicht; möglich: <list>.',
  'This is a job template: save it as one.': 'Das ist eine Job-Vorlage: als solche speichern.',
  'The program has no name.': 'Das Programm hat keinen Namen.',
  'Write the program first, then its arguments.': 'Zuerst das Programm schreiben, dann seine Argumente.',
  'Write `[program, argument, …]`: there is no shell to split a text.':
    '`[programm, argument, …]` schreiben: Keine Shell zerlegt einen Text.',
  'It holds a NUL character, which no program can be given.':
    'Darin steht ein NUL-Zeichen, das sich keinem Programm übergeben lässt.',
  '`success` must be one expression and nothing else.': '`success` muss ein einziger Ausdruck sein.',
  'Write the script below it, after `|`.': 'Das Skript darunter schreiben, nach `|`.',
  'Expressions do not stand inside a script: values are given, never spliced in.':
    'In einem Skript stehen keine Ausdrücke: Werte werden übergeben, nie eingesetzt.',
  'Read arguments from `args`, e.g. `args.day`.': 'Argumente aus `args` lesen, zum Beispiel `args.day`.',
  '`sql` has no `<key>`.': '`sql` hat kein `<key>`.',
  '`create_as` and `query` go together: add `<key>:`.': '`create_as` und `query` gehören zusammen: `<key>:` ergänzen.',
  '`sql` has neither `statements` nor `create_as` and `query`.':
    '`sql` hat weder `statements` noch `create_as` und `query`.',
  'Add `statements: [...]`, or `create_as:` with a `query`.':
    '`statements: [...]` ergänzen, oder `create_as:` mit einer `query`.',
  '`transaction` goes with `statements` only: `create_as` is always one.':
    '`transaction` gilt nur mit `statements`: `create_as` ist immer eine Transaktion.',
  'Write `before:`, `after:` or `on_error:` below it, each with a list.':
    'Darunter `before:`, `after:` oder `on_error:` schreiben, jeweils mit einer Liste.',

  // Arguments
  '`<key>` says nothing about type <type>.': '`<key>` sagt beim Typ <type> nichts.',
  'Remove it; it goes with <list>.': 'Entfernen; es gehört zu <list>.',
  '`<key>` must be <wanted>.': '`<key>` muss <wanted> sein.',
  '`min` (<min>) is larger than `max` (<max>).': '`min` (<min>) ist größer als `max` (<max>).',
  'Swap the two.': 'Die beiden tauschen.',
  'This value can never be given: it <problem>.': 'Dieser Wert ist nie möglich: Er <problem>.',
  'Correct it, or take it out.': 'Berichtigen oder herausnehmen.',
  'A required argument is always given, so its default is never used.':
    'Ein notwendiges Argument ist immer angegeben; seine Vorgabe gilt nie.',
  'Remove `required`, or the default.': '`required` oder die Vorgabe entfernen.',
  'The default is not allowed: it <problem>.': 'Die Vorgabe ist nicht erlaubt: Sie <problem>.',
  'Change the default, or what it must keep to.': 'Die Vorgabe ändern, oder woran sie sich halten muss.',
  'Nothing uses the argument `<name>`.': 'Nichts verwendet das Argument `<name>`.',
  'Remove it, or use it: `${{ args.<name> }}`, in SQL `:<name>`.':
    'Entfernen oder verwenden: `${{ args.<name> }}`, in SQL `:<name>`.',
  'There is no <noun> `<name>`.': '<noun> `<name>` gibt es nicht.',
  '`<name>` is required.': '`<name>` ist nötig.',
  'The default of `<name>`: <problem>': 'Die Vorgabe von `<name>`: <problem>',
  '`<name>` <problem>.': '`<name>` <problem>.',
  'The outputs are <bytes> bytes as JSON; at most <limit> are allowed. Write large results to the target instead.':
    'Die Ausgaben sind als JSON <bytes> Bytes groß; erlaubt sind höchstens <limit>. Große Ergebnisse gehören ins Ziel.',
  'The expression gives <value> where text is needed.': 'Der Ausdruck ergibt <value>, wo Text nötig ist.',
  'The expression gives an empty text.': 'Der Ausdruck ergibt einen leeren Text.',
  "The cursor that an earlier run has saved, <value>, is not of type <type>: start a run with `full_refresh`, or forget the task's state.":
    'Die Marke <value>, die ein früherer Lauf gespeichert hat, ist nicht vom Typ <type>: einen Lauf mit `full_refresh` starten oder den Stand der Aufgabe vergessen.',
  'It must be a single value.': 'Es muss ein einzelner Wert sein.',
  'It <problem>.': 'Es <problem>.',

  // Connector slots
  '<name> has neither `<first>` nor `<second>`.': '<name> hat weder `<first>` noch `<second>`.',
  'Add e.g. `type: file`, or `types: [sqlite, postgres]`.':
    'Zum Beispiel `type: file` ergänzen, oder `types: [sqlite, postgres]`.',
  'There is no connector slot `<name>`.': 'Den Konnektor-Platz `<name>` gibt es nicht.',
  'Add it under `connectors:`, e.g. `<example>`.': 'Unter `connectors:` ergänzen, zum Beispiel `<example>`.',
  'The slot `<name>` may be a <types> connector, which <user> cannot use; it needs <wanted>.':
    'Der Platz `<name>` darf ein Konnektor für <types> sein, mit dem <user> nichts anfangen kann; nötig: <wanted>.',
  'Use another slot, or give this one <types>.': 'Einen anderen Platz verwenden oder diesem <types> geben.',
  'The slot `<name>` has `access: <access>`, but <user> writes to it.':
    'Der Platz `<name>` hat `access: <access>`, aber <user> schreibt hinein.',
  'The slot `<name>` has `access: <access>`, but <user> reads from it.':
    'Der Platz `<name>` hat `access: <access>`, aber <user> liest daraus.',
  'Set `access: <access>` on `connectors.<name>`, or `read_write` where the task does both.':
    '`access: <access>` bei `connectors.<name>` setzen, oder `read_write`, wo die Aufgabe beides tut.',
  'Nothing uses the connector slot `<name>`, yet a run must bind it.':
    'Nichts verwendet den Konnektor-Platz `<name>`, doch ein Lauf muss ihn belegen.',
  'Remove it, or name it where something is read or written.':
    'Entfernen oder dort nennen, wo gelesen oder geschrieben wird.',

  // Columns
  'There is no column `<name>` at this point.': 'Die Spalte `<name>` gibt es an dieser Stelle nicht.',
  'There is no column `<name>` in the input `<input>`.': 'Die Spalte `<name>` gibt es in der Eingabe `<input>` nicht.',
  'There would be two columns called `<name>`.': 'Es gäbe zwei Spalten namens `<name>`.',
  'Choose another name, or drop the other column first.':
    'Einen anderen Namen wählen oder die andere Spalte vorher weglassen.',
  '<name> cannot be of type `<type>`; there is no such column type.':
    '<name> kann nicht vom Typ `<type>` sein; diesen Spaltentyp gibt es nicht.',
  'The columns `<first>` and `<second>` differ in capitals only.':
    'Die Spalten `<first>` und `<second>` unterscheiden sich nur in der Großschreibung.',
  'Write the name the same in every row and under `columns`.':
    'Den Namen in jeder Zeile und unter `columns` gleich schreiben.',
  'The column `<name>` stands twice in one row; case makes no difference.':
    'Die Spalte `<name>` steht in einer Zeile zweimal; Großschreibung macht keinen Unterschied.',
  '`inline` has no columns: there are no rows, and `columns` names none.':
    '`inline` hat keine Spalten: Es gibt keine Zeilen, und `columns` nennt keine.',
  'Add a row, or name the columns with their types under `columns`.':
    'Eine Zeile ergänzen oder die Spalten mit ihren Typen unter `columns` nennen.',

  // Files
  '"<value>" is more than one character.': '"<value>" ist mehr als ein Zeichen.',
  'Write one character, e.g. ";" or "\\t" in double quotes.':
    'Ein Zeichen schreiben, zum Beispiel ";" oder "\\t" in doppelten Anführungszeichen.',
  '`delimiter` is empty.': '`delimiter` ist leer.',
  'Write one character, e.g. ";".': 'Ein Zeichen schreiben, zum Beispiel ";".',
  'The extension of `<path>` does not say the format.': 'Die Endung von `<path>` verrät das Format nicht.',
  'Add `format: csv` (or jsonl, json, parquet, xlsx), or use one of the extensions <list>.':
    '`format: csv` ergänzen (oder jsonl, json, parquet, xlsx) oder eine der Endungen verwenden: <list>.',
  '`<option>` has no meaning for format <format>; it belongs to <only>.':
    '`<option>` bedeutet beim Format <format> nichts; es gehört zu <only>.',
  'Remove it, or change the format.': 'Entfernen oder das Format ändern.',
  '`<path>` is an absolute path.': '`<path>` ist ein absoluter Pfad.',
  '`<path>` names a drive or a protocol.': '`<path>` nennt ein Laufwerk oder ein Protokoll.',
  "`<path>` leaves the connector's folder.": '`<path>` führt aus dem Ordner des Konnektors hinaus.',
  "Write the path from the connector's folder, e.g. `weather/2024.csv`.":
    'Den Pfad ab dem Ordner des Konnektors schreiben, zum Beispiel `weather/2024.csv`.',
  '`<path>` has a backslash.': '`<path>` enthält einen Backslash.',
  'Separate folders with `/` on every system.': 'Ordner auf jedem System mit `/` trennen.',
  '`<path>` is no path to a list.': '`<path>` ist kein Pfad zu einer Liste.',
  'Write names with dots between them, e.g. `data.items`.':
    'Namen mit Punkten dazwischen schreiben, zum Beispiel `data.items`.',
  '`<path>` holds a wildcard, but one file is written.':
    '`<path>` enthält einen Platzhalter, doch geschrieben wird eine Datei.',
  'Write the name of one file.': 'Den Namen einer einzigen Datei schreiben.',
  '`<path>` is a folder.': '`<path>` ist ein Ordner.',
  'Add the name of a file.': 'Den Namen einer Datei ergänzen.',
  'Format <format> cannot be compressed with `<compression>`.':
    'Das Format <format> lässt sich nicht mit `<compression>` komprimieren.',
  "The sheet's name `<name>` <problem>.": 'Der Blattname `<name>` <problem>.',
  'Write a name that Excel takes, e.g. `Orders 2026`.':
    'Einen Namen schreiben, den Excel annimmt, zum Beispiel `Orders 2026`.',

  // Requests
  'The path is a full URL, but requests go to the connector.':
    'Der Pfad ist eine eigene URL, doch Anfragen gehen an den Konnektor.',
  'Write the part after the connector’s base URL, e.g. `/v1/contacts`.':
    'Den Teil nach der Basis-URL des Konnektors schreiben, zum Beispiel `/v1/contacts`.',
  'The path leads out with `..`.': 'Der Pfad führt mit `..` hinaus.',
  'Write it without `..`.': 'Ohne `..` schreiben.',
  'The path holds a blank, a backslash, `#` or a control character.':
    'Der Pfad enthält ein Leerzeichen, einen Backslash, `#` oder ein Steuerzeichen.',
  'Write it as in a URL: a blank is `%20`. Values go into `query`.':
    'Wie in einer URL schreiben: Ein Leerzeichen ist `%20`. Werte gehören in `query`.',
  'A header is one line.': 'Eine Kopfzeile ist eine einzige Zeile.',
  'Remove the line end.': 'Das Zeilenende entfernen.',
  '`<name>` carries credentials, which never stand in a task.':
    '`<name>` trägt Zugangsdaten; die stehen nie in einer Aufgabe.',
  'Remove it, and set up `auth` of the connector.': 'Entfernen und `auth` des Konnektors einrichten.',
  '`<name>` is set by the program itself.': '`<name>` setzt das Programm selbst.',
  'A path into the response has an empty part.': 'Ein Pfad in die Antwort hat einen leeren Teil.',
  'Write the keys with a point between them, e.g. `paging.next`.':
    'Die Schlüssel mit einem Punkt dazwischen schreiben, zum Beispiel `paging.next`.',
  '`<key>` has no meaning with `kind: <kind>`.': '`<key>` bedeutet mit `kind: <kind>` nichts.',
  'Remove it, or choose another kind.': 'Entfernen oder eine andere Art wählen.',
  '`<key>` is missing: `kind: <kind>` needs it beside `<other>`.':
    '`<key>` fehlt: `kind: <kind>` braucht es neben `<other>`.',
  '`{column}` in the path goes with `send: row` only: a batch has many values.':
    '`{column}` im Pfad geht nur mit `send: row`: Ein Stapel hat viele Werte.',
  '`method: DELETE` sends nothing, so it goes with `send: row` only.':
    '`method: DELETE` sendet nichts und geht daher nur mit `send: row`.',
  '`batch` goes with `send: batch` only.': '`batch` gilt nur mit `send: batch`.',
  '`method: DELETE` sends nothing that could be wrapped.': '`method: DELETE` sendet nichts, was sich einpacken ließe.',
  'Set `send: row`, or change the other.': '`send: row` setzen oder das andere ändern.',
  'Remove it, or set `send: batch`.': 'Entfernen oder `send: batch` setzen.',
  'The entity set holds a `?`.': 'Die Entitätsmenge enthält ein `?`.',
  'Write its name only; options are `select`, `filter`, `expand` and `order_by`.':
    'Nur ihren Namen schreiben; Optionen sind `select`, `filter`, `expand` und `order_by`.',
  '`<value>` is no navigation property.': '`<value>` ist keine Navigationseigenschaft.',
  'Write its name, e.g. `Items` or `Items($select=ID,qty)`.':
    'Ihren Namen schreiben, zum Beispiel `Items` oder `Items($select=ID,qty)`.',
  'The filter does not use `:<name>`.': 'Der Filter verwendet `:<name>` nicht.',
  'Remove it, or use it in the filter.': 'Entfernen oder im Filter verwenden.',
  'The filter is empty.': 'Der Filter ist leer.',
  'The filter is longer than <count> characters.': 'Der Filter ist länger als <count> Zeichen.',
  'An expression cannot stand in a filter; values are bound.':
    'In einem Filter kann kein Ausdruck stehen; Werte werden gebunden.',
  'Write `:name`, and `name: ${{ … }}` under `params`.': '`:name` schreiben, und `name: ${{ … }}` unter `params`.',
  'A text in the filter is never closed.': 'Ein Text im Filter wird nicht geschlossen.',
  "Add the closing `'`.": "Das schließende `'` ergänzen.",

  // Inputs and state
  'An input cannot be called `<name>`: in SQL that is what the step before gave.':
    'Eine Eingabe kann nicht `<name>` heißen: In SQL ist das, was der Schritt davor ergab.',
  'The inputs `<first>` and `<second>` differ in capitals only.':
    'Die Eingaben `<first>` und `<second>` unterscheiden sich nur in der Großschreibung.',
  '`new_only` goes with `source` only: an input is read as a whole in every run.':
    '`new_only` gilt nur bei `source`: Eine Eingabe wird in jedem Lauf ganz gelesen.',
  'There is no input `<name>`.': 'Die Eingabe `<name>` gibt es nicht.',
  'Add it under `inputs:`, e.g. `<example>`.': 'Unter `inputs:` ergänzen, zum Beispiel `<example>`.',
  'No step uses the input `<name>`, so it is never read.':
    'Kein Schritt verwendet die Eingabe `<name>`; sie wird nie gelesen.',
  'Remove it, or use it in a `lookup` or `sql` step.': 'Entfernen oder in einem Schritt `lookup` oder `sql` verwenden.',
  'Only `source` may use it, in a task with `state: {cursor: …}`.':
    'Nur `source` darf es verwenden, in einer Aufgabe mit `state: {cursor: …}`.',
  'The source never uses `state.cursor`, so every run reads all there is.':
    'Die Quelle verwendet `state.cursor` nie; jeder Lauf liest alles.',
  'Put it into the query: `WHERE … >= :since`, with `params: {since: "${{ state.cursor }}"}`.':
    'In die Abfrage setzen: `WHERE … >= :since`, mit `params: {since: "${{ state.cursor }}"}`.',
  'Use `${{ state.cursor }}` in the source, or remove `cursor`.':
    '`${{ state.cursor }}` in der Quelle verwenden oder `cursor` entfernen.',
  'The source reads new files only, and the target is replaced: after a run it holds those files’ rows alone.':
    'Die Quelle liest nur neue Dateien, und das Ziel wird ersetzt: Nach einem Lauf enthält es nur deren Zeilen.',
  'Give each run its own file, e.g. `<path>`, or remove `<key>`.':
    'Jedem Lauf eine eigene Datei geben, zum Beispiel `<path>`, oder `<key>` entfernen.',
  'Write `mode: append` or `mode: upsert`, or remove `new_only`.':
    '`mode: append` oder `mode: upsert` schreiben, oder `new_only` entfernen.',
  'Rows at the cursor are read again by the next run, and `mode: append` adds them again.':
    'Zeilen an der Marke liest der nächste Lauf noch einmal, und `mode: append` fügt sie noch einmal an.',
  'The source reads from the cursor on, and the target is replaced: after a run it holds those rows alone.':
    'Die Quelle liest ab der Marke, und das Ziel wird ersetzt: Nach einem Lauf enthält es nur diese Zeilen.',
  'Use `mode: upsert` with a `key`.': '`mode: upsert` mit einem `key` verwenden.',
  '`initial` <problem>.': '`initial` <problem>.',
  'Correct it, or change `type`.': 'Berichtigen oder `type` ändern.',
  '`lag` says nothing about text.': '`lag` sagt bei Text nichts.',
  '`lag` must be <wanted> with `type: <type>`.': '`lag` muss mit `type: <type>` <wanted> sein.',
  'Write e.g. `5m`, `2h` or `1d`.': 'Zum Beispiel `5m`, `2h` oder `1d` schreiben.',
}
