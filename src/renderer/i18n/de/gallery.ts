/** Titles and descriptions of ready tasks and job templates (`resources/gallery`), by their ids. Their YAML stays as it is. */
export const galleryTexts: Readonly<Record<string, { title: string; description: string }>> = {
  'databases-append-snapshot': {
    title: 'Bei jedem Lauf eine Momentaufnahme',
    description: 'Fügt die Zeilen jedes Laufs mit dessen Zeit an, damit sich der Verlauf ansehen lässt',
  },
  'databases-delete-insert': {
    title: 'Ein Jahr, ganz ersetzt',
    description: 'Die Zeilen der gelieferten Jahre weichen den neuen, in einer Transaktion; andere Jahre bleiben',
  },
  'databases-duckdb-summary': {
    title: 'Eine DuckDB-Datei in eine Datenbank',
    description: 'Was in DuckDB berechnet wurde, kommt dorthin, wo die Anwendung es liest',
  },
  'databases-mysql-to-postgres': {
    title: 'MySQL nach PostgreSQL, nur Geändertes',
    description: 'Setzt kurz vor dem Ende des letzten Laufs an, auch für spät festgeschriebene Zeilen',
  },
  'databases-postgres-partitioned': {
    title: 'Eine große Tabelle, in Teilen zugleich',
    description: 'Vier Bereiche des Schlüssels werden nebeneinander gelesen; die DuckDB-Datei ist für die Auswertung',
  },
  'databases-sqlite-to-parquet': {
    title: 'Eine Tabelle nach Parquet',
    description: 'Gruppiert Zeilen einer Datenbank mit SQL und schreibt eine kompakte Parquet-Datei',
  },
  'documents-mongo-aggregate': {
    title: 'In MongoDB berechnet',
    description: 'Eine Aggregation läuft in der Datenbank; nur ihr Ergebnis geht auf die Reise',
  },
  'documents-mongo-find': {
    title: 'Dokumente in eine Tabelle',
    description: 'Geänderte Dokumente, jeder ihrer Einträge als eigene Zeile',
  },
  'documents-to-mongo': {
    title: 'Eine Datei in eine Collection',
    description: 'Fügt Dokumente nach Schlüssel ein oder ändert sie, stapelweise',
  },
  'files-csv-to-table': {
    title: 'CSV-Dateien in eine Tabelle',
    description: 'Liest CSV, legt Typen fest, filtert, leitet Spalten ab und ersetzt eine Tabelle auf einmal',
  },
  'files-csv-with-options': {
    title: 'CSV mit eigenen Regeln',
    description:
      'Tabulatoren, andere Namen, Typen, die nicht geraten werden dürfen; unpassende Zeilen werden ausgesondert',
  },
  'files-json-nested': {
    title: 'Verschachteltes JSON, zerlegt',
    description:
      'Datensätze unter einem Pfad eines JSON-Dokuments; Objekte werden Spalten, das Ergebnis eine Parquet-Datei',
  },
  'files-jsonl-upsert': {
    title: 'JSON Lines in eine Tabelle, nach Schlüssel',
    description: 'Bringt eine Tabelle auf den neuesten Stand; ein zweiter Lauf ändert nichts mehr',
  },
  'files-jsonl-write': {
    title: 'Eine Tabelle als JSON Lines',
    description: 'Ein Objekt je Zeile, komprimiert; viele Werkzeuge und Sprachen lesen das ohne Schema',
  },
  'files-parquet-report': {
    title: 'Aus Millionen Zeilen ein kleiner Bericht',
    description: 'Drei Millionen Flüge in Parquet, mit SQL gruppiert, als CSV für die Tabellenkalkulation geschrieben',
  },
  'files-s3-to-table': {
    title: 'Dateien eines Buckets nach PostgreSQL',
    description: 'Parquet-Dateien eines Tages aus S3, nach Schlüssel in eine Tabelle',
  },
  'files-sftp-new': {
    title: 'Neue Dateien von einem SFTP-Server',
    description: 'Nimmt jede Datei einmal; sie gilt als genommen, wenn ihre Zeilen festgeschrieben sind',
  },
  'files-to-s3': {
    title: 'Eine Abfrage in einen Bucket',
    description: 'Ein Tag einer Tabelle als Parquet in S3, wo andere es am Pfad finden',
  },
  'files-xlsx-read': {
    title: 'Ein Tabellenblatt in eine Tabelle',
    description: 'Liest ein Blatt nach Namen; von jeder Aktie bleibt nur der letzte Kurs',
  },
  'files-xlsx-write': {
    title: 'Eine Arbeitsmappe zum Lesen',
    description: 'Kurse als Excel-Datei mit echten Daten und Zahlen',
  },
  'incremental-cursor': {
    title: 'Nur Neues, nach einer Spalte',
    description: 'Setzt am Ende des letzten Laufs an; die Marke wird gespeichert, wenn das Ziel festgeschrieben hat',
  },
  'incremental-files': {
    title: 'Jede Datei einmal',
    description: 'Dateien, die noch kein Lauf genommen hat; eine seither geänderte wird wieder gelesen',
  },
  'steps-dedupe': {
    title: 'Die letzte Zeile jedes Schlüssels',
    description: 'Doppelte fallen weg; von Zeilen mit gleichem Schlüssel bleibt die neueste',
  },
  'steps-expect': {
    title: 'Zeilen prüfen, schlechte aussondern',
    description: 'Nur verlässliche Zeilen erreichen die Tabelle; die anderen werden mit ihrem Grund aufgehoben',
  },
  'steps-explode': {
    title: 'Listen zu Zeilen',
    description: 'Eine Zeile für jeden Eintrag einer Liste, mit seiner Stelle; Objekte darin werden Spalten',
  },
  'steps-inline': {
    title: 'Zeilen im Text',
    description: 'Braucht keine Quelle; gut, um Schritte auszuprobieren und zu lernen',
  },
  'steps-lookup': {
    title: 'Spalten aus einer anderen Quelle',
    description: 'Schlägt jede Person in einer zweiten Datei nach; wer dort fehlt, wird ausgesondert',
  },
  'steps-map': {
    title: 'Objekte mit JSONata formen',
    description: 'Ein Ausdruck je Zeile; aus einer Liste von Objekten werden ebenso viele Zeilen',
  },
  'web-http-cursor': {
    title: 'Eine Web-API, Seite für Seite',
    description: 'Seit dem letzten Lauf geänderte Kontakte, nach Schlüssel in eine Tabelle',
  },
  'web-http-pages': {
    title: 'Nummerierte Seiten, Einzelheiten eingeebnet',
    description: 'Seiten ab 1, bis eine leer ist; verschachtelte Objekte werden Spalten',
  },
  'web-http-target': {
    title: 'Zeilen an eine Web-API',
    description: 'Eine Anfrage je Zeile; eine abgelehnte sondert ihre Zeile aus, statt die anderen aufzuhalten',
  },
  'web-odata': {
    title: 'Ein OData-Dienst in eine Tabelle',
    description: 'Gewählte Eigenschaften, ein Filter mit gebundenen Werten, jede Seite, die der Dienst nennt',
  },
  'work-command': {
    title: 'Ein Programm auf dem Rechner des Executors',
    description: 'Ohne Shell; aus, solange der Eigentümer des Executors es nicht erlaubt',
  },
  'work-hooks': {
    title: 'Davor, danach und beim Fehlschlag',
    description:
      'Eine Anweisung, bevor die Quelle geöffnet wird, ein Aufruf nach dem Festschreiben, ein anderer bei einem Fehler',
  },
  'work-http': {
    title: 'Ein Aufruf einer Web-API',
    description: 'Gibt eine Arbeit in Auftrag und prüft die Antwort; was sie sagt, kommt in die Ausgaben',
  },
  'work-script': {
    title: 'Ein Skript, das entscheidet',
    description: 'JavaScript ohne Ein- und Ausgabe; was es liefert, ist für die folgenden Aufgaben',
  },
  'work-sql-create-as': {
    title: 'Eine Tabelle aus einer Abfrage',
    description: 'Entsteht neben der alten und tritt an ihre Stelle; keine Zeile verlässt die Datenbank',
  },
  'work-sql-statements': {
    title: 'Anweisungen in einer Datenbank',
    description:
      'Der Reihe nach und in einer Transaktion; Werte werden gebunden, die letzte Zeile kommt in die Ausgaben',
  },
  'fan-out': {
    title: 'Eine Aufgabe für jeden Eintrag einer Liste',
    description: 'Ein Skript plant die Monate eines Jahres; für jeden läuft dann eine andere Aufgabe',
  },
  gate: {
    title: 'Zahlen, die jemand freigibt',
    description:
      'Der Zweig wartet an einer Freigabe, bis jemand die Zahlen angesehen hat; ein anderer läuft inzwischen weiter',
  },
  'on-failure': {
    title: 'Zweige, die fehlschlagen dürfen',
    description: 'Was gelingen muss, was fehlschlagen darf und was nur läuft, weil etwas fehlschlug',
  },
  'every-run': {
    title: 'Wie es den Läufen eines Jobs geht',
    description:
      'Erfolg, Dauer und Zeilen jedes Laufs, die letzten Läufe und das Protokoll dessen, was fehlschlug; passt zu jeder Job-Vorlage',
  },
  figures: {
    title: 'Zahlen aus einer Datenbank, mit Filtern',
    description:
      'Eine Zahl, ihr Verlauf und ihre Zeilen aus einer Tabelle einer Datenbank; Tage und Regionen sind wählbar',
  },
  'start-form': {
    title: 'Ein Formular, das den Job startet',
    description: 'Ein Formular ausfüllen, den Job mit den Eingaben starten und dem Lauf folgen',
  },
}
