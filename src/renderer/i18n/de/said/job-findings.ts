import type { Phrases } from '../../phrases.ts'

/** What is found in a job template's text, in expressions and in patterns. */
export const jobFindings: Phrases = {
  'Start with `etl: 1`, then `kind: job`.': 'Mit `etl: 1` beginnen, dann `kind: job`.',
  'This is no job template: its `kind` is something else.': 'Das ist keine Job-Vorlage: `kind` ist etwas anderes.',
  'Write `kind: job`. Tasks are saved as tasks.': '`kind: job` schreiben. Aufgaben werden als Aufgaben gespeichert.',
  'Make the <noun> first.': '<noun> zuerst anlegen.',
  'The task `<name>` is archived.': 'Die Aufgabe `<name>` ist archiviert.',
  'There is no task `<name>`.': 'Die Aufgabe `<name>` gibt es nicht.',
  'Take it out of the archive, or use another task.': 'Aus dem Archiv holen oder eine andere Aufgabe verwenden.',
  'The task `<name>` has no version <version>.': 'Die Aufgabe `<name>` hat keine Version <version>.',
  'Its current version is <version>. Without `version` that one is used.':
    'Ihre aktuelle Version ist <version>. Ohne `version` gilt diese.',
  'The task has no connector slot `<name>`.': 'Die Aufgabe hat keinen Konnektor-Platz `<name>`.',
  'Remove it: the task has no slots.': 'Entfernen: Die Aufgabe hat keine Plätze.',
  'Nothing is bound to the slot `<name>`, which takes a <types> connector to <action>.':
    'Der Platz `<name>` ist nicht belegt; nötig ist ein Konnektor für <types> (<action>).',
  'Add `connectors: {<name>: …}` with <list>.': '`connectors: {<name>: …}` ergänzen, mit <list>.',
  'The connector `<name>` may be a <types> connector, which the slot `<slot>` does not take; it takes <wanted>.':
    'Der Konnektor `<name>` darf einer für <types> sein, was der Platz `<slot>` nicht nimmt; er nimmt <wanted>.',
  'Bind another one, or give it `<types>` under `connectors:`.':
    'Einen anderen zuordnen oder ihm unter `connectors:` `<types>` geben.',
  'The connector `<name>` has `access: <access>`, but the task has to <action> its slot `<slot>`.':
    'Der Konnektor `<name>` hat `access: <access>`, doch die Aufgabe muss über ihren Platz `<slot>` <action>.',
  'Set `access: read_write` on `connectors.<name>`, or leave `access` out: then it is what the tasks need.':
    '`access: read_write` bei `connectors.<name>` setzen oder `access` weglassen: Dann gilt, was die Aufgaben brauchen.',
  'The task has no argument `<name>`.': 'Die Aufgabe hat kein Argument `<name>`.',
  'Remove it: the task has no arguments.': 'Entfernen: Die Aufgabe hat keine Argumente.',
  'Write a value that the task takes, or an expression that gives one.':
    'Einen Wert schreiben, den die Aufgabe annimmt, oder einen Ausdruck, der einen ergibt.',
  'The task requires the argument `<name>` (<type>).': 'Die Aufgabe verlangt das Argument `<name>` (<type>).',
  'Add `args: {<name>: …}`, e.g. with a parameter: `${{ parameters.<parameter> }}`.':
    '`args: {<name>: …}` ergänzen, zum Beispiel mit einem Parameter: `${{ parameters.<parameter> }}`.',
  'Write e.g. `in: "${{ parameters.regions }}"`, or `in: [eu, us]`.':
    'Zum Beispiel `in: "${{ parameters.regions }}"` schreiben, oder `in: [eu, us]`.',
  '`in` has <count> items; it may have at most <limit>.': '`in` hat <count> Einträge; erlaubt: höchstens <limit>.',
  '`index` is the place in the list already.': '`index` ist schon die Stelle in der Liste.',
  '`<name>` cannot be the key of a task: <wanted>.': '`<name>` kann nicht der Schlüssel einer Aufgabe sein: <wanted>.',
  '`<name>` is not upstream of `<key>`, so nothing is known of it when `<again>` starts.':
    '`<name>` liegt nicht vor `<key>`; wenn `<again>` beginnt, ist davon nichts bekannt.',
  'There is no time zone `<name>`.': 'Die Zeitzone `<name>` gibt es nicht.',
  'Write an IANA name, such as `Europe/Berlin` or `UTC`.':
    'Schreiben Sie einen IANA-Namen wie `Europe/Berlin` oder `UTC`.',
  'There is no task or gate `<name>`.': 'Die Aufgabe oder Freigabe `<name>` gibt es nicht.',
  'Upstream of `<key>` stand <list>.': 'Was vor `<key>` liegt: <list>.',
  'Nothing stands upstream of `<key>`.': 'Vor `<key>` liegt nichts.',
  'A task cannot refer to itself.': 'Eine Aufgabe kann sich nicht auf sich selbst beziehen.',
  '`<name>` waits for `<key>`: refer to it the other way round.':
    '`<name>` wartet auf `<key>`: anders herum darauf beziehen.',
  'Add `<name>` to `depends_on`.': '`<name>` bei `depends_on` ergänzen.',
  'Only `args` of a task with `for_each` know it.': 'Nur `args` einer Aufgabe mit `for_each` kennen es.',
  'A job template has `parameters`: write `parameters.` before the name.':
    'Eine Job-Vorlage hat `parameters`: `parameters.` vor den Namen schreiben.',
  'Only tasks know it, in their own YAML.': 'Nur Aufgaben kennen es, in ihrem eigenen YAML.',
  '`<key>` depends on itself, so it would never start.': '`<key>` hängt von sich selbst ab und begänne nie.',
  'Take it out of `depends_on`.': 'Aus `depends_on` herausnehmen.',
  'The template has no connector `<name>`.': 'Die Vorlage hat keinen Konnektor `<name>`.',
  'Add it at the top, e.g. `<example>`.': 'Oben ergänzen, zum Beispiel `<example>`.',
  '`when` must be one expression and nothing else.': '`when` muss ein einziger Ausdruck sein.',
  'No task uses the connector `<name>`, yet a job must bind it.':
    'Keine Aufgabe verwendet den Konnektor `<name>`, doch ein Job muss ihn zuordnen.',
  'Remove it, or bind it to a slot under the `connectors` of a task.':
    'Entfernen oder unter `connectors` einer Aufgabe einem Platz zuordnen.',
  'Nothing uses the parameter `<name>`.': 'Nichts verwendet den Parameter `<name>`.',
  'Remove it, or use it: `${{ parameters.<name> }}`.': 'Entfernen oder verwenden: `${{ parameters.<name> }}`.',
  'These wait for each other, so none would ever start: <list>.': 'Diese warten aufeinander; keine begänne je: <list>.',
  'Take one of them out of the `depends_on` of another.': 'Eine davon aus `depends_on` einer anderen herausnehmen.',
  '`when` gives <value>; it must be true or false.': '`when` ergibt <value>; nötig ist true oder false.',
  '`for_each.in` gives <value>; it must be a list. Put `[ ]` around a path that may find one thing or none.':
    '`for_each.in` ergibt <value>; nötig ist eine Liste. `[ ]` um einen Pfad setzen, der eines oder nichts finden kann.',
  '`for_each.in` gives <count> items; at most <limit> are allowed.':
    '`for_each.in` ergibt <count> Einträge; erlaubt sind höchstens <limit>.',
  '`when`: <message*>': '`when`: <message>',
  '`for_each`: <message*>': '`for_each`: <message>',

  // Expressions
  '`<braces>` has no `$` before it, so it would stay as it is written.':
    'Vor `<braces>` steht kein `$`; es bliebe, wie es geschrieben ist.',
  'Write `${{ <inner> }}`.': '`${{ <inner> }}` schreiben.',
  'Expressions here know nothing called `<name>`.': 'Ausdrücke kennen hier nichts namens `<name>`.',
  'There is no `<path>`.': '`<path>` gibt es nicht.',
  'The expression is empty.': 'Der Ausdruck ist leer.',
  'The expression is longer than <count> characters.': 'Der Ausdruck ist länger als <count> Zeichen.',
  'Move the work into a step.': 'Die Arbeit in einen Schritt verlegen.',
  'Split it into several `map` steps.': 'Auf mehrere Schritte `map` verteilen.',
  'The expression is nested more than <count> levels deep.':
    'Der Ausdruck ist mehr als <count> Ebenen tief verschachtelt.',
  'The expression uses `??` and `?:` more than <count> times.':
    'Der Ausdruck verwendet `??` und `?:` mehr als <count>-mal.',
  'The expression chains `??` and `?:` more than <count> times.':
    'Der Ausdruck verkettet `??` und `?:` mehr als <count>-mal.',
  'Make it simpler, or move the work into a step.': 'Vereinfachen oder die Arbeit in einen Schritt verlegen.',
  'Make it simpler, or split it into several `map` steps.': 'Vereinfachen oder auf mehrere Schritte `map` verteilen.',
  'The expression cannot be read: <message*>.': 'Der Ausdruck lässt sich nicht lesen: <message>.',
  'Names with a `.` between them are paths; text stands in quotes; conditions are written `a ? b : c`.':
    'Namen mit `.` dazwischen sind Pfade; Text steht in Anführungszeichen; Bedingungen schreibt man `a ? b : c`.',
  '`<signature>` is given <count> argument.': '`<signature>` bekommt <count> Argument.',
  '`<signature>` is given <count> arguments.': '`<signature>` bekommt <count> Argumente.',
  'Argument <number> of `<signature>` is <type>.': 'Argument <number> von `<signature>` ist <type>.',
  'The picture part `<part>` is not known; there are <parts>.':
    'Den Teil `<part>` kennt das Muster nicht; es gibt <parts>.',
  'A `[` of the picture is not closed; write `[[` for the character.':
    'Ein `[` des Musters ist nicht geschlossen; das Zeichen selbst schreibt man `[[`.',
  'Write it as `<signature>`.': 'So schreiben: `<signature>`.',
  'Write it as `<signature>`; after a `.` the first argument can be omitted.':
    'So schreiben: `<signature>`; nach einem `.` kann das erste Argument wegfallen.',
  'This can never be evaluated: <message*>.': 'Das lässt sich nie auswerten: <message>.',
  'Change the values that are written here.': 'Die Werte ändern, die hier stehen.',
  '`<operator>` is not an operator of expressions.': 'Den Operator `<operator>` gibt es in Ausdrücken nicht.',
  'Use `<operator>`.': '`<operator>` verwenden.',
  'There is no function `<name>` in expressions.': 'Die Funktion `<name>` gibt es in Ausdrücken nicht.',
  '<what> cannot be used in an expression.': '<what> geht in einem Ausdruck nicht.',
  'Expressions hold paths, literals, operators, conditions, constructors, predicates and pure functions.':
    'Ausdrücke enthalten Pfade, Literale, Operatoren, Bedingungen, Konstruktoren, Prädikate und reine Funktionen.',
  'The expression that starts here has no `}}`, or a quote or bracket inside it is not closed.':
    'Der Ausdruck, der hier beginnt, hat kein `}}`, oder ein Anführungszeichen oder eine Klammer darin ist nicht geschlossen.',
  'Write `${{ … }}`, or `$${{` for the characters themselves.':
    '`${{ … }}` schreiben, oder `$${{` für die Zeichen selbst.',
  '`${{ <source> }}`: <message*>.': '`${{ <source> }}`: <message>.',
  '`${{ <source> }}` is <nothing>, so it cannot stand inside a text.':
    '`${{ <source> }}` ist <nothing> und kann nicht in einem Text stehen.',
  'An expression cannot become text: <message>.': 'Ein Ausdruck kann nicht zu Text werden: <message>.',

  // Patterns
  'The pattern is longer than <count> characters.': 'Das Muster ist länger als <count> Zeichen.',
  'Make it shorter, or use `enum`.': 'Kürzen oder `enum` verwenden.',
  'The pattern is too large once its counts are written out.':
    'Das Muster ist zu groß, sobald seine Anzahlen ausgeschrieben sind.',
  'Use smaller counts; `min` and `max` bound the length of the text.':
    'Kleinere Anzahlen verwenden; `min` und `max` begrenzen die Länge des Textes.',
  'The pattern cannot be read: <message*>': 'Das Muster lässt sich nicht lesen: <message>',
  '<what> cannot be used in a pattern: matching it could take forever.':
    '<what> geht in einem Muster nicht: Die Prüfung könnte ewig dauern.',
  'There is a `)` too many.': 'Ein `)` ist zu viel.',
  'Write `<code>` for the character.': '`<code>` für das Zeichen selbst schreiben.',
  'Two quantifiers follow each other.': 'Zwei Wiederholungen folgen aufeinander.',
  'Keep one of them.': 'Eine davon behalten.',
  'Repeat single characters, classes or groups without `*`, `+` or `{…}` in them.':
    'Einzelne Zeichen, Klassen oder Gruppen ohne `*`, `+` oder `{…}` darin wiederholen.',
  '`{` starts a count, e.g. `{2}` or `{1,3}`.': '`{` beginnt eine Anzahl, zum Beispiel `{2}` oder `{1,3}`.',
  'In `<count>` the first number is larger.': 'In `<count>` ist die erste Zahl größer.',
  'Swap the numbers.': 'Die Zahlen tauschen.',
  'A count is larger than <limit>.': 'Eine Anzahl ist größer als <limit>.',
  'Use `min` and `max` to bound the length.': 'Die Länge mit `min` und `max` begrenzen.',
  'Nothing stands before `<character>`.': 'Vor `<character>` steht nichts.',
  '`<character>` has no partner.': '`<character>` hat kein Gegenstück.',
  '`<character>` stands inside the pattern.': '`<character>` steht mitten im Muster.',
  'The whole text must match anyway; write `<code>` for the character.':
    'Ohnehin muss der ganze Text passen; `<code>` für das Zeichen selbst schreiben.',
  'Groups are nested too deeply.': 'Gruppen sind zu tief verschachtelt.',
  'Make it simpler.': 'Vereinfachen.',
  'Describe the whole text instead, or check it in an `expect` step.':
    'Stattdessen den ganzen Text beschreiben oder in einem Schritt `expect` prüfen.',
  'Only plain groups `(…)` and `(?:…)` are known.': 'Bekannt sind nur einfache Gruppen `(…)` und `(?:…)`.',
  'A `<bracket>` is not closed.': 'Ein `<bracket>` ist nicht geschlossen.',
  'Add `<closing>`, or write `<code>` for the character.':
    '`<closing>` ergänzen oder `<code>` für das Zeichen selbst schreiben.',
  'It ends with `\\`.': 'Es endet mit `\\`.',
  'Spell out what may stand there.': 'Ausschreiben, was dort stehen darf.',
  '`<code>` has no meaning here.': '`<code>` hat hier keine Bedeutung.',
  'Write the character without `\\`.': 'Das Zeichen ohne `\\` schreiben.',
  'A range in `[…]` runs backwards.': 'Ein Bereich in `[…]` läuft rückwärts.',
  'Swap its ends.': 'Seine Enden tauschen.',
  '`[]` matches nothing.': '`[]` passt auf nichts.',
  'Name the characters between the brackets.': 'Die Zeichen zwischen den Klammern nennen.',
}

/** Parts of such sentences. */
export const jobFragments: Phrases = {
  'read from': 'lesen',
  'write to': 'schreiben',
  'read from and write to': 'lesen und schreiben',
  'a connector of the template, which has none that fits yet':
    'einem Konnektor der Vorlage, die noch keinen passenden hat',
  'A function definition': 'Eine Funktionsdefinition',
  'A partial function call': 'Ein teilweiser Funktionsaufruf',
  'The function chain `~>`': 'Die Funktionskette `~>`',
  'The transform operator `|…|…|`': 'Der Umform-Operator `|…|…|`',
  'A variable assignment `:=`': 'Eine Zuweisung `:=`',
  'A regular expression': 'Ein regulärer Ausdruck',
  'The descendant operator `**`': 'Der Nachfahren-Operator `**`',
  'The parent operator `%`': 'Der Eltern-Operator `%`',
  'The order-by operator `^(…)`': 'Der Sortier-Operator `^(…)`',
  'Grouping `{…}` after a value': 'Gruppieren mit `{…}` nach einem Wert',
  'A variable binding `@$` or `#$`': 'Eine Bindung `@$` oder `#$`',
  'The variable `<name>`': 'Die Variable `<name>`',
  'A sequence of expressions `(…; …)`': 'Eine Folge von Ausdrücken `(…; …)`',
  'A call of something that is no function': 'Ein Aufruf von etwas, das keine Funktion ist',
  'This function': 'Diese Funktion',
  'The operator `<operator>`': 'Der Operator `<operator>`',
  This: 'Das',
  'A repetition inside a repetition': 'Eine Wiederholung in einer Wiederholung',
  Lookaround: 'Ein Blick voraus oder zurück',
  'A back-reference': 'Ein Rückbezug',
  // When an expression is worked out
  'it is nested too deeply': 'zu tief verschachtelt',
  'the result is no finite number': 'das Ergebnis ist keine endliche Zahl',
  'a number is infinite': 'eine Zahl ist unendlich',
  'a key of an object must be text, not <actual>': 'ein Schlüssel eines Objekts muss Text sein, nicht <actual>',
  'there is no function `<name>`': 'die Funktion `<name>` gibt es nicht',
  'argument <number> of `<signature>` is nothing': 'Argument <number> von `<signature>` ist nichts',
  'argument <number> of `<signature>` is <value>': 'Argument <number> von `<signature>` ist <value>',
  '`<signature>` was given <count> argument': '`<signature>` bekam <count> Argument',
  '`<signature>` was given <count> arguments': '`<signature>` bekam <count> Argumente',
  '`<operator>` takes numbers, not <value>': '`<operator>` nimmt Zahlen, nicht <value>',
  '`<operator>` takes numbers, not <value>; texts are joined with `&`':
    '`<operator>` nimmt Zahlen, nicht <value>; Texte verbindet `&`',
  '`<operator>` compares numbers or texts, not <value>': '`<operator>` vergleicht Zahlen oder Texte, nicht <value>',
  '`<operator>` cannot compare <left> with <right>': '`<operator>` kann <left> nicht mit <right> vergleichen',
  'there is no logical time here': 'hier gibt es kein Bezugsdatum',
}
