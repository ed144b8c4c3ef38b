import type { Phrases } from '../../phrases.ts'

/** Titles and descriptions of ready tasks and job templates (`resources/gallery`). Their YAML stays as it is. */
export const galleryTexts: Phrases = {
  'A snapshot every run': 'Bei jedem Lauf eine Momentaufnahme',
  'Appends the rows of each run with the time of the run, so that history can be looked at':
    'Fügt die Zeilen jedes Laufs mit dessen Zeit an, damit sich der Verlauf ansehen lässt',
  'One year, replaced as a whole': 'Ein Jahr, ganz ersetzt',
  'Rows of the years that come in give way to the new ones, in one transaction; other years stay':
    'Die Zeilen der gelieferten Jahre weichen den neuen, in einer Transaktion; andere Jahre bleiben',
  'A DuckDB file to a database': 'Eine DuckDB-Datei in eine Datenbank',
  'What was worked out in DuckDB goes where the application reads it':
    'Was in DuckDB berechnet wurde, kommt dorthin, wo die Anwendung es liest',
  'MySQL to PostgreSQL, what has changed': 'MySQL nach PostgreSQL, nur Geändertes',
  'Goes on where the last run ended, a little before it, for rows that were committed late':
    'Setzt kurz vor dem Ende des letzten Laufs an, auch für spät festgeschriebene Zeilen',
  'A large table, in parts at once': 'Eine große Tabelle, in Teilen zugleich',
  'Four ranges of the key are read beside each other; the DuckDB file is what analysts open':
    'Vier Bereiche des Schlüssels werden nebeneinander gelesen; die DuckDB-Datei ist für die Auswertung',
  'A table to Parquet': 'Eine Tabelle nach Parquet',
  'Groups rows of a database with SQL and writes one compact Parquet file':
    'Gruppiert Zeilen einer Datenbank mit SQL und schreibt eine kompakte Parquet-Datei',
  'Worked out in MongoDB': 'In MongoDB berechnet',
  'An aggregation pipeline runs in the database; only its result travels':
    'Eine Aggregation läuft in der Datenbank; nur ihr Ergebnis geht auf die Reise',
  'Documents to a table': 'Dokumente in eine Tabelle',
  'Documents that changed, with their items one row each': 'Geänderte Dokumente, jeder ihrer Einträge als eigene Zeile',
  'A file to a collection': 'Eine Datei in eine Collection',
  'Upserts documents by key, in batches': 'Fügt Dokumente nach Schlüssel ein oder ändert sie, stapelweise',
  'CSV files to a table': 'CSV-Dateien in eine Tabelle',
  'Reads CSV, fixes types, filters and derives columns, and replaces a table at once':
    'Liest CSV, legt Typen fest, filtert, leitet Spalten ab und ersetzt eine Tabelle auf einmal',
  'CSV with its own ideas': 'CSV mit eigenen Regeln',
  'Tabs, other names, types that must not be guessed, and lines that do not fit set aside':
    'Tabulatoren, andere Namen, Typen, die nicht geraten werden dürfen; unpassende Zeilen werden ausgesondert',
  'Nested JSON, taken apart': 'Verschachteltes JSON, zerlegt',
  'Records below a path of a JSON document; objects become columns, the result is one Parquet file':
    'Datensätze unter einem Pfad eines JSON-Dokuments; Objekte werden Spalten, das Ergebnis eine Parquet-Datei',
  'JSON Lines into a table, by key': 'JSON Lines in eine Tabelle, nach Schlüssel',
  'Brings a table up to date; run twice, the second run changes nothing':
    'Bringt eine Tabelle auf den neuesten Stand; ein zweiter Lauf ändert nichts mehr',
  'A table as JSON Lines': 'Eine Tabelle als JSON Lines',
  'One object a line, compressed; what many tools and languages read without a schema':
    'Ein Objekt je Zeile, komprimiert; viele Werkzeuge und Sprachen lesen das ohne Schema',
  'Millions of rows to a small report': 'Aus Millionen Zeilen ein kleiner Bericht',
  'Three million flights in Parquet, grouped with SQL, written as CSV that a spreadsheet opens':
    'Drei Millionen Flüge in Parquet, mit SQL gruppiert, als CSV für die Tabellenkalkulation geschrieben',
  'Files of a bucket to PostgreSQL': 'Dateien eines Buckets nach PostgreSQL',
  'Parquet files of one day from S3, into a table by key':
    'Parquet-Dateien eines Tages aus S3, nach Schlüssel in eine Tabelle',
  'New files from an SFTP server': 'Neue Dateien von einem SFTP-Server',
  'Takes each file once; a file counts as taken when its rows are committed':
    'Nimmt jede Datei einmal; sie gilt als genommen, wenn ihre Zeilen festgeschrieben sind',
  'A query to a bucket': 'Eine Abfrage in einen Bucket',
  'One day of a table as Parquet in S3, where others find it by its path':
    'Ein Tag einer Tabelle als Parquet in S3, wo andere es am Pfad finden',
  'A sheet of a workbook to a table': 'Ein Tabellenblatt in eine Tabelle',
  'Reads one sheet by name; only the latest price of each share is kept':
    'Liest ein Blatt nach Namen; von jeder Aktie bleibt nur der letzte Kurs',
  'A workbook for people': 'Eine Arbeitsmappe zum Lesen',
  'Prices as an Excel file with real dates and numbers': 'Kurse als Excel-Datei mit echten Daten und Zahlen',
  'Only what is new, by a column': 'Nur Neues, nach einer Spalte',
  'Goes on where the last run ended; the cursor is saved once the target has committed':
    'Setzt am Ende des letzten Laufs an; die Marke wird gespeichert, wenn das Ziel festgeschrieben hat',
  'Each file once': 'Jede Datei einmal',
  'Files that no earlier run has taken; one that has changed since is read again':
    'Dateien, die noch kein Lauf genommen hat; eine seither geänderte wird wieder gelesen',
  'The last row of each key': 'Die letzte Zeile jedes Schlüssels',
  'Duplicates go; of rows with one key the newest stays':
    'Doppelte fallen weg; von Zeilen mit gleichem Schlüssel bleibt die neueste',
  'Check rows, set bad ones aside': 'Zeilen prüfen, schlechte aussondern',
  'Only rows that can be trusted reach the table; the others are kept with their reason':
    'Nur verlässliche Zeilen erreichen die Tabelle; die anderen werden mit ihrem Grund aufgehoben',
  'Lists to rows': 'Listen zu Zeilen',
  'One row for each item of a list, with its position; objects inside become columns':
    'Eine Zeile für jeden Eintrag einer Liste, mit seiner Stelle; Objekte darin werden Spalten',
  'Rows in the text': 'Zeilen im Text',
  'Needs no source at all; good for trying steps out, and for training':
    'Braucht keine Quelle; gut, um Schritte auszuprobieren und zu lernen',
  'Columns from another source': 'Spalten aus einer anderen Quelle',
  'Looks each person up in a second file; who is not found there is set aside':
    'Schlägt jede Person in einer zweiten Datei nach; wer dort fehlt, wird ausgesondert',
  'Objects shaped with JSONata': 'Objekte mit JSONata formen',
  'An expression over each row; a list of objects becomes as many rows':
    'Ein Ausdruck je Zeile; aus einer Liste von Objekten werden ebenso viele Zeilen',
  'A web API, page by page': 'Eine Web-API, Seite für Seite',
  'Contacts that changed since the last run, into a table by key':
    'Seit dem letzten Lauf geänderte Kontakte, nach Schlüssel in eine Tabelle',
  'Numbered pages, details flattened': 'Nummerierte Seiten, Einzelheiten eingeebnet',
  'Pages counted from 1 until one is empty; nested objects become columns':
    'Seiten ab 1, bis eine leer ist; verschachtelte Objekte werden Spalten',
  'Rows to a web API': 'Zeilen an eine Web-API',
  'One request a row; a refused one sets its row aside instead of stopping the others':
    'Eine Anfrage je Zeile; eine abgelehnte sondert ihre Zeile aus, statt die anderen aufzuhalten',
  'An OData service to a table': 'Ein OData-Dienst in eine Tabelle',
  'Chosen properties, a filter with bound values, every page that the service names':
    'Gewählte Eigenschaften, ein Filter mit gebundenen Werten, jede Seite, die der Dienst nennt',
  "A program of the executor's machine": 'Ein Programm auf dem Rechner des Executors',
  "Without a shell; off unless the executor's owner allows it":
    'Ohne Shell; aus, solange der Eigentümer des Executors es nicht erlaubt',
  'Before, after, and when it fails': 'Davor, danach und beim Fehlschlag',
  'A statement before the source is opened, a call when the rows are committed, another when something fails':
    'Eine Anweisung, bevor die Quelle geöffnet wird, ein Aufruf nach dem Festschreiben, ein anderer bei einem Fehler',
  'One call of a web API': 'Ein Aufruf einer Web-API',
  'Asks for work to be done and checks the answer; what it says goes to the outputs':
    'Gibt eine Arbeit in Auftrag und prüft die Antwort; was sie sagt, kommt in die Ausgaben',
  'A script that decides': 'Ein Skript, das entscheidet',
  'JavaScript without any I/O; what it returns is for the tasks downstream':
    'JavaScript ohne Ein- und Ausgabe; was es liefert, ist für die folgenden Aufgaben',
  'A table made from a query': 'Eine Tabelle aus einer Abfrage',
  'Made beside the old one and swapped in; no row leaves the database':
    'Entsteht neben der alten und tritt an ihre Stelle; keine Zeile verlässt die Datenbank',
  'Statements in a database': 'Anweisungen in einer Datenbank',
  'In order and in one transaction; values are bound, and the last row goes to the outputs':
    'Der Reihe nach und in einer Transaktion; Werte werden gebunden, die letzte Zeile kommt in die Ausgaben',
  'A task for each item of a list': 'Eine Aufgabe für jeden Eintrag einer Liste',
  'A script plans the months of a year; what it puts out is what another task is run for':
    'Ein Skript plant die Monate eines Jahres; für jeden läuft dann eine andere Aufgabe',
  'Figures that somebody signs': 'Zahlen, die jemand freigibt',
  'The branch waits at a gate until a person has looked at the figures; another one goes on meanwhile':
    'Der Zweig wartet an einer Freigabe, bis jemand die Zahlen angesehen hat; ein anderer läuft inzwischen weiter',
  'Branches that may fail': 'Zweige, die fehlschlagen dürfen',
  'What must work, what may fail, and what runs only because something failed':
    'Was gelingen muss, was fehlschlagen darf und was nur läuft, weil etwas fehlschlug',
}
