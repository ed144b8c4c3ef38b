/** Titles and descriptions of ready tasks and job templates (`resources/gallery`), by their ids. Their YAML stays as it is. */
export const galleryTexts: Readonly<Record<string, { title: string; description: string }>> = {
  'databases-append-snapshot': {
    title: 'Bei jedem Lauf einen Snapshot anhängen',
    description: 'Hängt die aktuellen Zeilen mit der Zeit des Laufs an und baut so einen Kursverlauf auf',
  },
  'databases-delete-insert': {
    title: 'Ein Jahr ersetzen',
    description: 'Ersetzt die Zeilen jedes geladenen Jahres in einer Transaktion; andere Jahre bleiben unverändert',
  },
  'databases-duckdb-summary': {
    title: 'DuckDB in eine Anwendungsdatenbank',
    description: 'Aggregiert eine DuckDB-Tabelle und lädt das Ergebnis in die Datenbank der Anwendung',
  },
  'databases-mysql-to-postgres': {
    title: 'MySQL nach PostgreSQL, inkrementell',
    description: 'Lädt seit dem letzten Lauf geänderte Zeilen, mit 5 Minuten Überlappung für späte Commits',
  },
  'databases-postgres-partitioned': {
    title: 'Eine große Tabelle parallel lesen',
    description: 'Liest vier Schlüsselbereiche parallel und schreibt sie zur Auswertung in eine DuckDB-Datei',
  },
  'databases-sqlite-to-parquet': {
    title: 'Datenbanktabelle nach Parquet',
    description: 'Fasst tägliche Zeilen mit SQL nach Monat zusammen und schreibt eine Parquet-Datei',
  },
  'documents-mongo-aggregate': {
    title: 'In MongoDB aggregieren',
    description: 'Führt eine Aggregationspipeline in MongoDB aus und liest nur deren Ergebnis',
  },
  'documents-mongo-find': {
    title: 'MongoDB-Dokumente in eine Tabelle',
    description: 'Lädt geänderte Bestellungen mit einer Zeile je Position',
  },
  'documents-to-mongo': {
    title: 'CSV-Datei in eine MongoDB-Collection',
    description: 'Aktualisiert Dokumente nach Schlüssel oder fügt sie ein, in Stapeln von 1.000',
  },
  'files-csv-to-table': {
    title: 'CSV-Dateien in eine Tabelle',
    description: 'Wandelt Typen um, filtert Zeilen, leitet Spalten ab und ersetzt die Tabelle in einem Schritt',
  },
  'files-csv-with-options': {
    title: 'CSV mit eigenen Optionen',
    description: 'Legt Trennzeichen, NULL-Werte und Spaltentypen fest und weist ungültige Zeilen ab',
  },
  'files-json-nested': {
    title: 'Verschachteltes JSON in Spalten umwandeln',
    description: 'Liest die Datensätze unter einem Pfad, macht Objekte zu Spalten und schreibt Parquet',
  },
  'files-jsonl-upsert': {
    title: 'JSON Lines per Upsert in eine Tabelle',
    description: 'Aktualisiert Zeilen mit gleichem Schlüssel und fügt die anderen ein; ein zweiter Lauf ändert nichts',
  },
  'files-jsonl-write': {
    title: 'JSON in komprimierte JSON Lines',
    description: 'Schreibt ein JSON-Objekt je Zeile, mit gzip komprimiert',
  },
  'files-parquet-report': {
    title: 'Eine große Parquet-Datei zusammenfassen',
    description: 'Gruppiert drei Millionen Flüge mit SQL nach Strecke und schreibt einen CSV-Bericht',
  },
  'files-s3-to-table': {
    title: 'S3-Dateien nach PostgreSQL',
    description: 'Lädt die Parquet-Dateien eines Tages und ersetzt die Zeilen dieses Tages',
  },
  'files-sftp-new': {
    title: 'Neue Dateien von SFTP',
    description: 'Lädt jede Datei einmal; sie gilt als geladen, sobald ihre Zeilen committet sind',
  },
  'files-to-s3': {
    title: 'Abfrageergebnis nach S3',
    description: 'Exportiert einen Tag einer Tabelle als Parquet in einen nach Datum partitionierten Pfad',
  },
  'files-xlsx-read': {
    title: 'Excel-Tabellenblatt in eine Tabelle',
    description: 'Liest ein Blatt nach Namen und behält den letzten Kurs jedes Symbols',
  },
  'files-xlsx-write': {
    title: 'Export nach Excel',
    description: 'Schreibt Kurse in eine Excel-Arbeitsmappe, Datums- und Zahlenwerte mit ihrem Typ',
  },
  'incremental-cursor': {
    title: 'Inkrementell laden mit Cursor',
    description: 'Setzt beim gespeicherten Cursor fort, der beim Commit des Ziels aktualisiert wird',
  },
  'incremental-files': {
    title: 'Jede Datei einmal laden',
    description: 'Überspringt bereits geladene Dateien; geänderte Dateien werden erneut geladen',
  },
  'steps-dedupe': {
    title: 'Neueste Zeile je Schlüssel behalten',
    description: 'Entfernt Duplikate und behält die neueste Zeile jedes Schlüssels',
  },
  'steps-expect': {
    title: 'Zeilen prüfen und ungültige abweisen',
    description: 'Lädt Zeilen, die die Prüfungen bestehen, und bewahrt die anderen mit dem Grund als Abgewiesene auf',
  },
  'steps-explode': {
    title: 'Eine Liste in Zeilen auflösen',
    description: 'Erzeugt eine Zeile je Listeneintrag mit dessen Position und macht Objekte zu Spalten',
  },
  'steps-inline': {
    title: 'Inline-Zeilen',
    description: 'Braucht keinen Konnektor für die Quelle; gut zum Ausprobieren von Schritten',
  },
  'steps-lookup': {
    title: 'Spalten in einer anderen Quelle nachschlagen',
    description: 'Sucht jede Person in einer zweiten Datei und weist Zeilen ohne Treffer ab',
  },
  'steps-map': {
    title: 'Objekte mit JSONata umformen',
    description: 'Wertet einen Ausdruck je Zeile aus; aus einer Liste von Objekten wird eine Zeile je Objekt',
  },
  'web-http-cursor': {
    title: 'Web-API mit Cursor-Paginierung',
    description: 'Aktualisiert seit dem letzten Lauf geänderte Kontakte oder fügt sie ein',
  },
  'web-http-pages': {
    title: 'Web-API mit nummerierten Seiten',
    description: 'Ruft Seiten ab, bis eine leer ist, und macht verschachtelte Objekte zu Spalten',
  },
  'web-http-target': {
    title: 'Zeilen an eine Web-API senden',
    description: 'Sendet eine Anfrage je Zeile und weist Zeilen ab, die die API ablehnt',
  },
  'web-odata': {
    title: 'OData-Dienst in eine Tabelle',
    description: 'Wählt Eigenschaften aus, filtert mit gebundenen Werten und liest alle Seiten',
  },
  'work-command': {
    title: 'Ein Programm auf dem Executor ausführen',
    description: 'Vergleicht zwei Dateien ohne Shell; Programme müssen auf dem Executor erlaubt sein',
  },
  'work-hooks': {
    title: 'Hooks davor, danach und bei Fehlern',
    description: 'Führt SQL vor dem Lesen der Quelle aus und ruft nach dem Commit oder bei Fehlern eine API auf',
  },
  'work-http': {
    title: 'Eine Web-API aufrufen',
    description: 'Sendet eine Anfrage, prüft die Antwort und speichert einen Wert als Ausgabe',
  },
  'work-script': {
    title: 'Ein Skript ausführen',
    description: 'Führt JavaScript ohne Ein- und Ausgabe aus und liefert eine Liste für nachgelagerte Aufgaben',
  },
  'work-sql-create-as': {
    title: 'Eine Tabelle aus einer Abfrage erstellen',
    description: 'Erstellt eine neue Tabelle und tauscht sie ein; keine Zeile verlässt die Datenbank',
  },
  'work-sql-statements': {
    title: 'SQL-Anweisungen ausführen',
    description: 'Führt Anweisungen mit gebundenen Werten der Reihe nach in einer Transaktion aus',
  },
  'fan-out': {
    title: 'Fan-out: ein Lauf je Listeneintrag',
    description: 'Ein Skript liefert die Monate eines Jahres; eine andere Aufgabe läuft einmal für jeden Monat',
  },
  gate: {
    title: 'Freigabe',
    description: 'Ein Zweig wartet vor dem Veröffentlichen auf eine Freigabe; der andere läuft weiter',
  },
  'on-failure': {
    title: 'Optionale Zweige und Zweige bei Fehlern',
    description: 'Verbindet erforderliche und optionale Aufgaben mit solchen, die nur nach einem Fehler laufen',
  },
  'every-run': {
    title: 'Status eines Jobs',
    description:
      'Erfolgsquote der Aufgaben, Dauer, Zeilen, letzte Job-Läufe und das neueste Protokoll; passt zu jeder Job-Vorlage',
  },
  figures: {
    title: 'Datenbank-Kennzahlen mit Filtern',
    description: 'Eine Summe, ihr Verlauf und ihre Zeilen aus einer Datenbanktabelle, nach Datum und Region gefiltert',
  },
  'start-form': {
    title: 'Formular, das einen Job startet',
    description: 'Fragt Parameter ab, startet den Job und zeigt seinen Lauf',
  },
}
