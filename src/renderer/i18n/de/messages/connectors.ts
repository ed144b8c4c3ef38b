import type { Words } from '../../translate.ts'

export const connectors: Words = {
  secrets_unreadable: '<secrets> lassen sich nicht lesen: Der Schlüssel dazu fehlt. Geben Sie sie neu ein.',
  secret_again:
    'muss neu eingegeben werden, weil <fields> geändert wurde: Gespeicherte Geheimnisse gehen nur dorthin, wofür sie eingegeben wurden',
  missing_for: 'fehlt: <other> ist <chosen>',
  path_not_absolute: 'muss ein absoluter Pfad sein, etwa /home/ada/data oder C:\\data',
  header_characters: 'enthält ein Zeilenende oder ein anderes Zeichen, das in Kopfzeilen nicht geht',
  header_is_secret:
    'darf hier nicht stehen, wo alle es lesen: unter `auth` wählen, wie angemeldet wird, und das Geheimnis dort eingeben',
  header_is_set: 'setzt jede Anfrage selbst: lassen Sie es weg',
  own_place:
    'führt zu Headgates eigenen Dateien, dem Datenordner oder den Sicherungen: wählen Sie einen anderen Ordner',
  slot_unknown: '<owner> hat keinen Platz <slot>; es gibt: <known>',
  slots_none: '<owner> hat keinen Platz <slot> und auch keinen anderen',
  slot_not_bound: 'Der Platz <slot> ist nicht belegt: wählen Sie einen Konnektor für <types>',
  no_connector: 'Einen Konnektor mit der ID <id> gibt es nicht',
  connector_archived:
    'Der Konnektor „<name>“ ist archiviert: Stellen Sie ihn wieder her, oder wählen Sie einen anderen',
  slot_takes: 'Der Platz <slot> nimmt einen Konnektor für <types>; <name> ist einer für <type>',
  connector_read_only: '<owner> schreibt in den Platz <slot>, aber der Konnektor „<name>“ darf nur gelesen werden',
  no_executor:
    'Kein Executor ist bereit: Starten Sie einen mit `npm run executor`, oder starten Sie die App neu, die ihren eigenen startet.',
  calls_waiting: 'Zu viele Anfragen warten schon. Versuchen Sie es gleich noch einmal.',
  call_answer_wrong:
    'Der Executor hat auf die Anfrage <kind> mit einem Ergebnis anderer Art geantwortet. Aktualisieren Sie den Executor.',
  call_late: 'Keine Antwort innerhalb von <seconds> s. Prüfen Sie den Executor, oder verlangen Sie weniger.',
  executor_ended: 'Der Executor endete dabei. Versuchen Sie es noch einmal.',
  server_ending_shortly: 'Der Server wird beendet. Versuchen Sie es gleich noch einmal.',
  executor_name_taken:
    'Ein Executor namens <name> ist schon bereit. Wählen Sie einen anderen Namen, oder versuchen Sie es in <seconds> s noch einmal.',
  nothing_to_drain: 'Der Executor <name> ist schon <status>: Stillzulegen gibt es nichts.',
  query_gone: 'Dieses Ergebnis wird nicht mehr gehalten. Führen Sie die Abfrage noch einmal aus.',
  query_cancelled: 'Die Abfrage wurde abgebrochen. Führen Sie sie noch einmal aus.',
  query_executor_gone: 'Der Executor, der dieses Ergebnis hielt, ist beendet. Führen Sie die Abfrage noch einmal aus.',
  query_page_gone:
    'Diese Zeilen werden nicht mehr gehalten, weil das Ergebnis sehr groß oder die Festplatte des Servers fast voll ist. Führen Sie die Abfrage noch einmal aus.',
  query_not_kept:
    'Der Server kann die Zeilen dieses Ergebnisses nicht auf seine Platte schreiben. Schaffen Sie Platz, und führen Sie die Abfrage noch einmal aus.',
  row_or_cursor: 'geht nicht zusammen mit cursor',
  no_such_cell: 'Das Ergebnis hat keine Zeile <row> mit einem Feld <field>.',
  no_such_field: 'Das Ergebnis hat kein Feld <field>.',
  query_incomplete:
    'Der Executor hat Zeilen dieses Ergebnisses ausgelassen oder vertauscht. Führen Sie die Abfrage noch einmal aus.',
  queries_of_user:
    'Es sind schon <most> Abfragen offen. Brechen Sie eine davon ab, oder versuchen Sie es später noch einmal.',
  calls_of_user:
    'Es laufen schon <most> Ihrer Anfragen an verbundene Systeme. Warten Sie, bis eine endet, und versuchen Sie es noch einmal.',
  queries_of_executors:
    'Alle Executors haben so viele Abfragen offen, wie sie halten können. Versuchen Sie es gleich noch einmal.',
}
