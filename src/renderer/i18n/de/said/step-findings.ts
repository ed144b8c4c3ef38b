import type { Phrases } from '../../phrases.ts'

/** What is found in steps, targets and queries. */
export const stepFindings: Phrases = {
  // MongoDB
  '`<operator>` runs JavaScript in the server.': '`<operator>` führt JavaScript im Server aus.',
  '`<operator>` is JavaScript.': '`<operator>` ist JavaScript.',
  '`<operator>` writes, and a source only reads.': '`<operator>` schreibt, und eine Quelle liest nur.',
  '`<operator>` never ends.': '`<operator>` endet nie.',
  'Write the rows with a target `collection`.': 'Die Zeilen mit einem Ziel `collection` schreiben.',
  'Read the collection with a `state.cursor` instead.': 'Die Collection stattdessen mit `state.cursor` lesen.',
  'Use query operators, or a step of the task.': 'Abfrageoperatoren verwenden oder einen Schritt der Aufgabe.',
  'A collection cannot be called `<name>`.': 'Eine Collection kann nicht `<name>` heißen.',
  'Leave out `$` and NUL characters.': '`$` und NUL-Zeichen weglassen.',
  '`<name>` is one of MongoDB’s own collections.': '`<name>` gehört zu den eigenen Collections von MongoDB.',
  'Name a collection of yours.': 'Eine eigene Collection nennen.',
  '`<name>` starts or ends with a point.': '`<name>` beginnt oder endet mit einem Punkt.',
  'Remove the point.': 'Den Punkt entfernen.',
  'A stage of `aggregate` has one key, its operator.':
    'Eine Stufe von `aggregate` hat einen Schlüssel: ihren Operator.',
  'Write each operator as its own list item.': 'Jeden Operator als eigenen Eintrag der Liste schreiben.',
  '`mongo` has both `find` and `aggregate`.': '`mongo` hat `find` und `aggregate` zugleich.',
  '`<key>` does not go with `aggregate`.': '`<key>` verträgt sich nicht mit `aggregate`.',
  'Write a stage `<operator>` instead.': 'Stattdessen eine Stufe `<operator>` schreiben.',

  // SQL
  'The SQL is empty.': 'Das SQL ist leer.',
  'The SQL is longer than <count> characters.': 'Das SQL ist länger als <count> Zeichen.',
  'Write it, or remove the key.': 'Schreiben oder den Schlüssel entfernen.',
  'Expressions do not stand inside SQL: values are bound, never spliced in.':
    'In SQL stehen keine Ausdrücke: Werte werden gebunden, nie eingesetzt.',
  'Write `:name` for an argument.': '`:name` für ein Argument schreiben.',
  'Write `:<name>`, with its value under `params`.': '`:<name>` schreiben, mit dem Wert unter `params`.',
  'The comment that starts here is not closed.': 'Der Kommentar, der hier beginnt, ist nicht geschlossen.',
  'The quote that starts here is not closed.': 'Das Anführungszeichen, das hier beginnt, ist nicht geschlossen.',
  'This `<closing>` has no `<opening>` before it.': 'Vor diesem `<closing>` steht kein `<opening>`.',
  'This `<bracket>` is not closed.': 'Dieses `<bracket>` ist nicht geschlossen.',
  'Close it; a quote inside text is written twice.':
    'Schließen; ein Anführungszeichen innerhalb von Text wird verdoppelt.',
  'An SQL expression has no `;`.': 'Ein SQL-Ausdruck hat kein `;`.',
  'Only one statement can stand here.': 'Hier kann nur eine Anweisung stehen.',
  'Remove the `;`.': 'Das `;` entfernen.',
  'Write a list with one statement per item.': 'Eine Liste von Anweisungen schreiben, jede als eigenen Eintrag.',
  'Remove what follows the `;`, or make a step of it.':
    'Entfernen, was auf das `;` folgt, oder einen Schritt daraus machen.',
  'Leave `WHERE` out.': '`WHERE` weglassen.',
  'Use a `sql` step for a query, or put a subquery in brackets.':
    'Für eine Abfrage einen Schritt `sql` verwenden oder eine Unterabfrage in Klammern setzen.',
  '`<word>` starts a clause, but one value is wanted here.':
    '`<word>` beginnt einen Satzteil, verlangt ist hier aber ein Wert.',
  'Remove it. Statements run in one transaction; kind `sql` has `transaction: false` for those that cannot.':
    'Entfernen. Anweisungen laufen in einer Transaktion; die Art `sql` hat `transaction: false` für solche, die das nicht können.',
  '`<word>` isn’t allowed: the task manages transactions.':
    '`<word>` ist keine eigene Arbeit: Transaktionen sind Sache der Aufgabe.',
  '`<word>` does not start a query; only reading is allowed here.':
    '`<word>` beginnt keine Abfrage; hier darf nur gelesen werden.',
  '`<found>` is not a keyword of SQL.': '`<found>` ist kein Schlüsselwort von SQL.',
  "DuckDB can't read this SQL: <message>.": 'DuckDB kann dieses SQL nicht lesen: <message>.',
  'Check the word at this place, and the one before it.': 'Das Wort an dieser Stelle und das davor prüfen.',
  'Write one `SELECT`. Its target is set in another key.':
    'Ein `SELECT` schreiben; wohin seine Zeilen gehen, steht daneben.',
  '`<written>` is a positional parameter; values are bound by name here.':
    '`<written>` ist ein Parameter nach Stelle; hier werden Werte nach Namen gebunden.',
  'Write `:name`.': '`:name` schreiben.',
  'Add `<name>` under `args`; if a `:` is meant, put a blank after it.':
    '`<name>` unter `args` ergänzen; ist ein `:` gemeint, ein Leerzeichen dahinter setzen.',
  'Add `<name>` under `args`.': '`<name>` unter `args` ergänzen.',
  '`:<name>` is neither an argument nor one of `params`.': '`:<name>` ist weder ein Argument noch eines der `params`.',
  'The SQL does not use `:<name>`.': 'Das SQL verwendet `:<name>` nicht.',
  'Remove it, or use it in the SQL.': 'Entfernen oder im SQL verwenden.',
  '`<text>` is no table name.': '`<text>` ist kein Tabellenname.',
  'Write `table` or `schema.table`; put a part that holds dots or quotes in double quotes.':
    '`table` oder `schema.table` schreiben; Teile mit Punkten oder Anführungszeichen in doppelte Anführungszeichen setzen.',
  '`sql` has neither `query` nor `table`.': '`sql` hat weder `query` noch `table`.',
  'Add `query: SELECT …`, or `table:` to read one as a whole.':
    '`query: SELECT …` ergänzen, oder `table:`, um eine ganze Tabelle zu lesen.',
  '`<key>` goes with `<other>` only.': '`<key>` gilt nur mit `<other>`.',
  'Read a table, or remove it.': 'Eine Tabelle lesen oder entfernen.',
  'Name the columns in the query.': 'Die Spalten in der Abfrage nennen.',
  'Remove it, or write a `query`.': 'Entfernen oder eine `query` schreiben.',

  // Steps
  'A step is one of <list>, with a `:` after it.': 'Ein Schritt ist eines davon, mit `:` dahinter: <list>.',
  'A step has one key; this one has `<first>` and `<second>`.':
    'Ein Schritt hat einen Schlüssel; dieser hat `<first>` und `<second>`.',
  'Start a new step with `- <key>:`. Steps have no further keys of their own.':
    'Einen neuen Schritt mit `- <key>:` beginnen. Weitere eigene Schlüssel haben Schritte nicht.',
  'There is no step `<name>`.': 'Den Schritt `<name>` gibt es nicht.',
  'This step is empty.': 'Dieser Schritt ist leer.',
  'Write `dedupe: true`, or name the columns.': '`dedupe: true` schreiben oder die Spalten nennen.',
  'Write `flatten: true`, or name the columns.': '`flatten: true` schreiben oder die Spalten nennen.',
  '`rows` has neither `min` nor `max`.': '`rows` hat weder `min` noch `max`.',
  '`rows` counts all rows together, so there are none to quarantine.':
    '`rows` zählt alle Zeilen zusammen; auszusondern gibt es da keine.',
  'Use `on_fail: fail` or `on_fail: warn`.': '`on_fail: fail` oder `on_fail: warn` verwenden.',
  'This expectation has no rule; it needs one of <list>.':
    'Diese Erwartung hat keine Regel; nötig ist eines davon: <list>.',
  'This expectation has both `<first>` and `<second>`.': 'Diese Erwartung hat `<first>` und `<second>` zugleich.',
  'Make two expectations of them.': 'Zwei Erwartungen daraus machen.',
  '`params` goes with `check` only.': '`params` gilt nur mit `check`.',
  'Put the expression in single quotes, or below `|`: else YAML reads `{` itself.':
    'Den Ausdruck in einfache Anführungszeichen oder unter `|` setzen: Sonst liest YAML das `{` selbst.',
  'This is JSONata, which knows no `${{ }}`.': 'Das ist JSONata; `${{ }}` gibt es dort nicht.',
  'Put the value into a column first: `derive: {day: ":day"}` for an argument `day`.':
    'Den Wert zuerst in eine Spalte setzen: `derive: {day: ":day"}` für ein Argument `day`.',
  'The query never reads `stream`, so the rows that reach this step are dropped.':
    'Die Abfrage liest `stream` nicht; die Zeilen, die hier ankommen, fallen weg.',
  'Select `FROM stream`.': '`FROM stream` auswählen.',
  'There is no table `<name>` here.': 'Hier gibt es keine Tabelle `<name>`.',
  'An expression sees the columns of one row. Use a `sql` step to read tables.':
    'Ein Ausdruck sieht die Spalten einer Zeile. Tabellen liest ein `sql`-Schritt.',

  // Targets
  '`mode: <mode>` needs a `key`: <what>.': '`mode: <mode>` braucht einen `key`: <what>.',
  '`key` has no effect with `mode: <mode>`.': '`key` bewirkt mit `mode: <mode>` nichts.',
  '`types: recreate` needs `mode: replace`; with `mode: <mode>` rows of the table stay, and their values may not fit another type.':
    '`types: recreate` braucht `mode: replace`; mit `mode: <mode>` bleiben Zeilen der Tabelle, und ihre Werte passen vielleicht in keinen anderen Typ.',
  'Set `mode: replace`, or `types: widen`.': '`mode: replace` setzen, oder `types: widen`.',
  'Set `mode: upsert`, or remove it.': '`mode: upsert` setzen oder entfernen.',
}

/** Parts of such sentences. */
export const stepFragments: Phrases = {
  'the fields by which a document is found again': 'die Felder, an denen ein Dokument wiedererkannt wird',
  'the columns by which a row is found again': 'die Spalten, an denen eine Zeile wiedererkannt wird',
  'the columns by which rows are found again': 'die Spalten, an denen Zeilen wiedererkannt werden',
  'holds one of the characters [ ] : * ? / \\': 'enthält eines der Zeichen [ ] : * ? / \\',
  'begins or ends with an apostrophe': 'beginnt oder endet mit einem Apostroph',
  'must be <wanted>, not <actual>': 'muss <wanted> sein, nicht <actual>',
  'has <count> items; it needs at least <limit>': 'hat <count> Einträge; nötig: mindestens <limit>',
  'has <count> items; it may have at most <limit>': 'hat <count> Einträge; erlaubt: höchstens <limit>',
  'must be one of <list>': 'muss eines davon sein: <list>',
  'must match the pattern <pattern*>': 'muss zum Muster <pattern> passen',
  'has <count> characters; it must be at least <limit> characters': 'hat <count> Zeichen; nötig: mindestens <limit>',
  'has <count> characters; it must be at most <limit> characters': 'hat <count> Zeichen; erlaubt: höchstens <limit>',
  'is <value>; it must be at least <limit>': 'ist <value>; nötig: mindestens <limit>',
  'is <value>; it must be at most <limit>': 'ist <value>; erlaubt: höchstens <limit>',
}
