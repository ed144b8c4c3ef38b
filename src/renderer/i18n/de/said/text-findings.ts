import type { Phrases } from '../../phrases.ts'

/** What is found in any text: YAML itself, its keys and values. */
export const textFindings: Phrases = {
  // The text
  'The text is larger than 1 MiB, so it was not read.': 'Der Text ist größer als 1 MiB und wurde nicht gelesen.',
  'Move rows out of the YAML into a file or a table, and read them with `files` or `sql`.':
    'Zeilen aus dem YAML in eine Datei oder Tabelle verlegen und mit `files` oder `sql` lesen.',
  'The document is empty.': 'Das Dokument ist leer.',
  'The document holds only comments.': 'Das Dokument enthält nur Kommentare.',
  'Start with `etl: 1`.': 'Mit `etl: 1` beginnen.',
  'The character <character> is not allowed in YAML.': 'Das Zeichen <character> ist in YAML nicht erlaubt.',
  'The invisible character <character> turns the direction of the text: what runs may differ from what is seen.':
    'Das unsichtbare Zeichen <character> dreht die Schreibrichtung um: Ausgeführt wird womöglich anderes, als zu sehen ist.',
  'Delete it.': 'Löschen.',
  'A tab cannot indent YAML.': 'YAML lässt sich nicht mit Tabulatoren einrücken.',
  'Indent with two spaces.': 'Mit zwei Leerzeichen einrücken.',
  'This quote is not closed.': 'Dieses Anführungszeichen ist nicht geschlossen.',
  'Add `<closing>` where the text ends.': '`<closing>` ergänzen, wo der Text endet.',
  'Add `<closing>`.': '`<closing>` ergänzen.',
  '`<value>` holds a comma, which ends a value inside of `{ }`.':
    '`<value>` enthält ein Komma, das in `{ }` einen Wert beendet.',
  'This is not valid YAML: <message*>.': 'Das ist kein gültiges YAML: <message>.',
  'The indentation does not fit the lines before it.': 'Die Einrückung passt nicht zu den Zeilen davor.',
  'Lines of one map or list start at the same column.':
    'Zeilen einer Map oder Liste beginnen an derselben Stelle der Zeile.',
  'Unknown escape in a double-quoted text.': 'Unbekannte Escape-Folge in einem Text mit doppelten Anführungszeichen.',
  "Write the backslash twice, or use single quotes: '…'.":
    "Den Backslash verdoppeln oder einfache Anführungszeichen nehmen: '…'.",
  'A second `:` on one line, or a map that starts on the line of another one.':
    'Ein zweiter `:` in einer Zeile, oder eine Map, die in der Zeile einer anderen beginnt.',
  'Put text that contains `: ` in quotes, or start a new line.':
    'Text, der `: ` enthält, in Anführungszeichen setzen oder eine neue Zeile beginnen.',
  'A key must stand on one line, followed by `:`.': 'Ein Schlüssel steht in einer Zeile, gefolgt von `:`.',
  'Add the missing `:`, or quote the text.': 'Das fehlende `:` ergänzen oder den Text in Anführungszeichen setzen.',
  'Something is not closed: a quote, a bracket, or the `:` after a key.':
    'Etwas ist nicht geschlossen: ein Anführungszeichen, eine Klammer oder das `:` nach einem Schlüssel.',
  'Close it, or add the missing `:`.': 'Schließen oder das fehlende `:` ergänzen.',
  'The text is too deeply nested to be read.': 'Der Text ist zu tief verschachtelt, um gelesen zu werden.',
  'Put the text in quotes.': 'Den Text in Anführungszeichen setzen.',
  'Put the text in quotes if it was not meant as an alias.':
    'Den Text in Anführungszeichen setzen, falls kein Alias gemeint war.',
  'Put the whole value with its `${{ … }}` in double quotes.':
    'Den ganzen Wert mit seinem `${{ … }}` in doppelte Anführungszeichen setzen.',
  'An expression is written "${{ … }}", in double quotes.':
    'Ein Ausdruck wird "${{ … }}" geschrieben, in doppelten Anführungszeichen.',
  'Add the missing `]` or `}`, or indent the line deeper than the key before it.':
    'Das fehlende `]` oder `}` ergänzen oder die Zeile tiefer einrücken als den Schlüssel davor.',
  'Check quotes, brackets and indentation on this line and the one before.':
    'Anführungszeichen, Klammern und Einrückung in dieser Zeile und der davor prüfen.',
  'Maps and lists are nested more than <count> levels deep here, so the text was not read.':
    'Maps und Listen sind hier mehr als <count> Ebenen tief verschachtelt; der Text wurde nicht gelesen.',
  'Take levels out; no part of the language needs more than ten.':
    'Ebenen herausnehmen; die Sprache braucht nirgends mehr als zehn.',
  'Nested more than <count> levels deep.': 'Mehr als <count> Ebenen tief verschachtelt.',
  'Nested more than <count> levels deep once aliases are replaced.':
    'Mehr als <count> Ebenen tief verschachtelt, sobald die Aliasse ersetzt sind.',
  'Take levels out.': 'Ebenen herausnehmen.',
  'A second document starts here; one text holds one document.':
    'Hier beginnt ein zweites Dokument; ein Text enthält genau eines.',
  'Remove the `---` and what follows it, or save it as a separate document.':
    'Das `---` und was darauf folgt entfernen oder als eigenes Dokument speichern.',
  'Directives (lines that start with `%`) are not used here.':
    'Direktiven (Zeilen, die mit `%` beginnen) gibt es hier nicht.',
  'Remove the line. Documents are always read as YAML 1.2.':
    'Die Zeile entfernen. Dokumente werden immer als YAML 1.2 gelesen.',
  'The document uses more than <count> aliases.': 'Das Dokument verwendet mehr als <count> Aliasse.',
  'Write the values out.': 'Die Werte ausschreiben.',
  'Write the value out.': 'Den Wert ausschreiben.',
  '`*<name>` stands inside the value it refers to.': '`*<name>` steht in dem Wert, auf den es sich bezieht.',
  'There is no anchor `&<name>` before this alias.': 'Vor diesem Alias steht kein Anker `&<name>`.',
  'Put `&<name>` before the value it should repeat, or quote the text if it was not meant as an alias.':
    '`&<name>` vor den Wert setzen, der wiederholt werden soll, oder den Text in Anführungszeichen setzen, falls kein Alias gemeint war.',
  'The document holds more than <count> values, an alias counted with all it repeats.':
    'Das Dokument enthält mehr als <count> Werte; ein Alias zählt mit allem, was er wiederholt.',
  'Move rows out of the YAML into a file or a table.': 'Zeilen aus dem YAML in eine Datei oder Tabelle verlegen.',
  'Tags (`!…`) are not used here.': 'Tags (`!…`) gibt es hier nicht.',
  'Remove the tag; write text in quotes where it could be read as something else.':
    'Das Tag entfernen; Text in Anführungszeichen setzen, wo er als etwas anderes gelesen werden könnte.',
  'An escape in this text makes a NUL or half of a character.':
    'Eine Escape-Folge in diesem Text ergibt NUL oder ein halbes Zeichen.',
  'Remove the escape.': 'Die Escape-Folge entfernen.',
  '`{{ … }}` without a `$` is a YAML map, not an expression.': '`{{ … }}` ohne `$` ist eine YAML-Map, kein Ausdruck.',
  'Write "${{ … }}".': '"${{ … }}" schreiben.',
  'Write "${{ <inner> }}".': '"${{ <inner> }}" schreiben.',
  'The merge key `<<` belongs to YAML 1.1 and is not used here.':
    'Der Merge-Schlüssel `<<` gehört zu YAML 1.1 und gilt hier nicht.',
  'Write the keys out, or use an alias for a whole value.':
    'Die Schlüssel ausschreiben oder einen Alias für einen ganzen Wert verwenden.',
  '`__proto__` cannot be used as a key.': '`__proto__` kann kein Schlüssel sein.',
  'Use another name.': 'Einen anderen Namen nehmen.',
  'A key is missing before the `:`.': 'Vor dem `:` fehlt ein Schlüssel.',
  'A key must be text.': 'Ein Schlüssel muss Text sein.',
  'Write a name before the `:`.': 'Einen Namen vor das `:` schreiben.',
  'The key `<name>` stands here a second time.': 'Der Schlüssel `<name>` steht hier ein zweites Mal.',
  'Remove one of the two.': 'Einen der beiden entfernen.',

  // Keys and values
  '`<key>` is missing: <noun> needs it.': '`<key>` fehlt: <noun> braucht es.',
  'Add e.g. `<example>`.': 'Zum Beispiel `<example>` ergänzen.',
  'Add `<key>:`.': '`<key>:` ergänzen.',
  'Add `<key>:`, or one of the others.': '`<key>:` ergänzen oder eines der anderen.',
  'Add `<name>` under `<section>:`.': '`<name>` unter `<section>:` ergänzen.',
  '`rounding: <rounding>` says nothing of a column of type `<type>`.':
    '`rounding: <rounding>` sagt nichts über eine Spalte vom Typ `<type>`.',
  // How the values of files are written
  '`<pattern>` has a part that is not known.': '`<pattern>` hat einen Teil, den es nicht gibt.',
  'Use <parts*>, e.g. `<example>`.': '<parts> verwenden, z. B. `<example>`.',
  '`<pattern>` has `%<part>` twice.': '`<pattern>` hat `%<part>` zweimal.',
  '`<pattern>` does not say where the <part*> of a <type> is.': '`<pattern>` sagt nicht, wo <part> von `<type>` steht.',
  '`<pattern>` does not say where the <part*> of a <type> are.':
    '`<pattern>` sagt nicht, wo <part> von `<type>` stehen.',
  '`<pattern>` has `%<part>`, which a time of day does not keep.':
    '`<pattern>` hat `%<part>`, was eine Uhrzeit nicht behält.',
  'Use type `datetime`.': 'Den Typ `datetime` verwenden.',
  '`<pattern>` has one of `%I` and `%p`.': '`<pattern>` hat nur eines von `%I` und `%p`.',
  'Hours of half a day need both; else use `%H`.': 'Stunden eines halben Tages brauchen beide; sonst `%H` verwenden.',
  '`<pattern>` has an offset, which a <type> does not keep.':
    '`<pattern>` hat einen Versatz, den `<type>` nicht behält.',
  'Use type `datetime`, or leave `%z` out.': 'Den Typ `datetime` verwenden oder `%z` weglassen.',
  '`<key>` says nothing of a column of type `<type>`.': '`<key>` sagt nichts über eine Spalte vom Typ `<type>`.',
  'It is for date, time and datetime.': 'Es gilt für date, time und datetime.',
  'It is for integer, number and decimal.': 'Es gilt für integer, number und decimal.',
  '`decimal` and `thousands` are both `<mark>`.': '`decimal` und `thousands` sind beide `<mark>`.',
  'A number would have two meanings. Choose another one, or leave `thousands` out.':
    'Eine Zahl hätte zwei Bedeutungen. Ein anderes wählen oder `thousands` weglassen.',
  'Use `rounding: <rounding>`.': 'Nimm `rounding: <rounding>`.',
  'Leave `rounding` out.': 'Lass `rounding` weg.',
  '`<key>` is no key of <noun>.': '<noun> kennt den Schlüssel `<key>` nicht.',
  'Did you mean `<near>`?': 'War `<near>` gemeint?',
  'There are no <nouns> here.': '<nouns> gibt es hier nicht.',
  'There are <count> <nouns> here.': 'Hier gibt es <count> <nouns>.',
  'The <nouns> here are <list>.': '<nouns> hier: <list>.',
  '`<value>` stands twice in <name>.': '`<value>` steht in <name> zweimal.',
  '<name> has <count> <entries>; it needs at least <limit>.':
    '<name> hat <count> <entries>; nötig: mindestens <limit>.',
  '<name> has <count> <entries>; it needs at most <limit>.':
    '<name> hat <count> <entries>; erlaubt: höchstens <limit>.',
  'Add one, or remove `<key>`.': 'Einen ergänzen oder `<key>` entfernen.',
  'Add more, or remove `<key>`.': 'Weitere ergänzen oder `<key>` entfernen.',
  'Take <count> out.': '<count> herausnehmen.',
  '`<name>` cannot be a name here: <wanted>.': '`<name>` kann hier kein Name sein: <wanted>.',
  'Choose another name.': 'Einen anderen Namen wählen.',
  'Choose another name; expressions use it.': 'Einen anderen Namen wählen; Ausdrücke verwenden ihn.',
  '<name> has no value; it must be <wanted>.': '<name> hat keinen Wert, muss aber <wanted> sein.',
  '<name> must be <wanted>, not <actual>.': '<name> muss <wanted> sein, nicht <actual>.',
  'Write "<value>" in quotes if that text is meant.':
    '"<value>" in Anführungszeichen setzen, falls dieser Text gemeint ist.',
  'Write the value after the `:`, or remove the key.':
    'Den Wert hinter das `:` schreiben oder den Schlüssel entfernen.',
  'Write "<value>" in quotes.': '"<value>" in Anführungszeichen setzen.',
  'Write [<value>], or start each item with `- ` on its own line.':
    '[<value>] schreiben oder jeden Eintrag in einer eigenen Zeile mit `- ` beginnen.',
  'Write `key: value` pairs below it, indented by two spaces.':
    'Paare `key: value` darunter schreiben, um zwei Leerzeichen eingerückt.',
  'Remove the quotes if <wanted> is meant.': 'Die Anführungszeichen entfernen, falls <wanted> gemeint ist.',
  'Give <wanted>.': '<wanted> angeben.',
  '`<source>` is read as <read>; other YAML readers may see something else.':
    '`<source>` wird als <read> gelesen; andere YAML-Leser sehen womöglich etwas anderes.',
  'Write <value>, or "<source>" in quotes for the text.':
    '<value> schreiben, oder "<source>" in Anführungszeichen für den Text.',
  'Write <value>, or "<source>" in quotes to keep the zeros.':
    '<value> schreiben, oder "<source>" in Anführungszeichen, damit die Nullen bleiben.',
  'Write <value>.': '<value> schreiben.',
  '<source> is beyond ±9007199254740991, so it cannot be held exactly.':
    '<source> liegt jenseits von ±9007199254740991 und lässt sich nicht genau halten.',
  '<source> is not a finite number.': '<source> ist keine endliche Zahl.',
  'Write "<source>" in quotes and give the column or bind a type.':
    '"<source>" in Anführungszeichen setzen und der Spalte oder Bindung einen Typ geben.',
  'Write a number, or null.': 'Eine Zahl schreiben, oder null.',
  '<name> is empty.': '<name> ist leer.',
  '<name> has <count> characters; <limit> are allowed.': '<name> hat <count> Zeichen; erlaubt: <limit>.',
  '<name> is longer than <count> characters.': '<name> ist länger als <count> Zeichen.',
  'Write a text.': 'Einen Text schreiben.',
  'Make it shorter.': 'Kürzen.',
  'Make it longer.': 'Verlängern.',
  '<name> is read before a run starts, so it cannot hold an expression.':
    '<name> wird gelesen, bevor ein Lauf beginnt, und kann keinen Ausdruck enthalten.',
  'Write the value itself.': 'Den Wert selbst schreiben.',
  'The name holds a line end or another control character.':
    'Der Name enthält ein Zeilenende oder ein anderes Steuerzeichen.',
  'Write it on one line.': 'In einer Zeile schreiben.',
  'The name starts or ends with a blank.': 'Der Name beginnt oder endet mit einem Leerzeichen.',
  'Remove it.': 'Entfernen.',
  '<name> is <value>; it must be <bounds>.': '<name> ist <value>; erlaubt: <bounds>.',
  'Choose <wanted>, <bounds>.': '<wanted> wählen, <bounds>.',
  '<name> must be a whole number, not <value>.': '<name> muss eine ganze Zahl sein, nicht <value>.',
  'Remove what follows the point.': 'Entfernen, was auf den Punkt folgt.',
  '<name> cannot be `<value>`; it is one of <list>.': '<name> kann nicht `<value>` sein; möglich: <list>.',
  'Write one of <list>.': 'Eines davon schreiben: <list>.',
  'Write one of <list>, or remove it.': 'Eines davon schreiben: <list>, oder entfernen.',
  'Use one of <list>.': 'Eines davon nehmen: <list>.',
  '<name> must be a length of time.': '<name> muss eine Dauer sein.',
  '<name> is too short; it must be at least <count> ms.': '<name> ist zu kurz; mindestens <count> ms sind nötig.',
  'Write e.g. `500ms`, `10s`, `5m`, `2h`, `1d` or `PT1H30M`.':
    'Zum Beispiel `500ms`, `10s`, `5m`, `2h`, `1d` oder `PT1H30M` schreiben.',
  'Add a unit, e.g. `<example>`.': 'Eine Einheit ergänzen, zum Beispiel `<example>`.',
  'A <noun> has one of <list>.': 'Eines davon gehört hierher: <list>.',
  'This <noun> has both `<first>` and `<second>`.': '`<first>` und `<second>` stehen hier zugleich.',
  '<name> has both `<first>` and `<second>`.': '<name> hat `<first>` und `<second>` zugleich.',
  'Keep one of the two.': 'Eines von beiden behalten.',
  'This <noun> says nothing about its kind; it needs one of <list>.': 'Die Art fehlt; nötig ist eines davon: <list>.',
  'Write `<code>`.': '`<code>` schreiben.',
  'Write e.g. `<example>`.': 'Zum Beispiel `<example>` schreiben.',
  'Write a value of that type.': 'Einen Wert dieses Typs schreiben.',
}
