import type { Words } from '../../translate.ts'

export const connectors: Words = {
  secrets_unreadable: '<secrets> lassen sich nicht lesen: Der Schlüssel dazu fehlt. Neu eingeben.',
  secret_again:
    'muss neu eingegeben werden, weil <fields> geändert wurde: Gespeicherte Geheimnisse gehen nur dorthin, wofür sie eingegeben wurden',
  missing_for: 'fehlt: <other> ist <chosen>',
  path_not_absolute: 'muss ein absoluter Pfad sein, etwa /home/ada/data oder C:\\data',
  header_characters: 'enthält ein Zeilenende oder ein anderes Zeichen, das in Kopfzeilen nicht geht',
  header_is_secret:
    'darf hier nicht stehen, wo alle es lesen: unter `auth` wählen, wie angemeldet wird, und das Geheimnis dort eingeben',
  header_is_set: 'setzt jede Anfrage selbst: weglassen',
  own_place: 'führt zu Headgates eigenen Dateien, dem Datenordner oder den Sicherungen: einen anderen Ordner wählen',
  slot_unknown: '<owner> hat keinen Platz <slot>; es gibt: <known>',
  slots_none: '<owner> hat keinen Platz <slot> und auch keinen anderen',
  slot_not_bound: 'Der Platz <slot> ist nicht belegt: einen Konnektor für <types> wählen',
  no_connector: 'Einen Konnektor mit der ID <id> gibt es nicht',
  connector_archived: 'Der Konnektor <name> ist archiviert: aus dem Archiv holen oder einen anderen wählen',
  slot_takes: 'Der Platz <slot> nimmt einen Konnektor für <types>; <name> ist einer für <type>',
  connector_read_only: '<owner> schreibt in den Platz <slot>, aber der Konnektor <name> darf nur gelesen werden',
  no_executor:
    'Kein Executor ist bereit: einen mit `npm run executor` starten oder die App neu starten, die ihren eigenen startet.',
  calls_waiting: 'Zu viele Anfragen warten schon. Gleich noch einmal versuchen.',
  call_answer_wrong:
    'Der Executor hat auf die Anfrage <kind> mit einem Ergebnis anderer Art geantwortet. Den Executor aktualisieren.',
  call_late: 'Keine Antwort innerhalb von <seconds> s. Nach dem Executor sehen oder weniger verlangen.',
  executor_ended: 'Der Executor endete dabei. Noch einmal versuchen.',
  server_ending_shortly: 'Der Server wird beendet. Gleich noch einmal versuchen.',
  executor_name_taken:
    'Ein Executor namens <name> ist schon bereit. Einen anderen Namen wählen oder in <seconds> s noch einmal versuchen.',
  nothing_to_drain: 'Der Executor <name> ist schon <status>: Stillzulegen gibt es nichts.',
  query_gone: 'Dieses Ergebnis wird nicht mehr gehalten. Die Abfrage noch einmal ausführen.',
  query_cancelled: 'Die Abfrage wurde abgebrochen. Noch einmal ausführen.',
  query_executor_gone: 'Der Executor, der dieses Ergebnis hielt, ist beendet. Die Abfrage noch einmal ausführen.',
  query_page_gone:
    'Diese Zeilen werden nicht mehr gehalten, weil das Ergebnis sehr groß oder die Festplatte des Servers fast voll ist. Die Abfrage noch einmal ausführen.',
  query_not_kept:
    'Der Server kann die Zeilen dieses Ergebnisses nicht auf seine Platte schreiben. Platz schaffen und die Abfrage noch einmal ausführen.',
  row_or_cursor: 'geht nicht zusammen mit cursor',
  no_such_cell: 'Das Ergebnis hat keine Zeile <row> mit einem Feld <field>.',
  no_such_field: 'Das Ergebnis hat kein Feld <field>.',
  query_incomplete:
    'Der Executor hat Zeilen dieses Ergebnisses ausgelassen oder vertauscht. Die Abfrage noch einmal ausführen.',
  queries_of_user: 'Es sind schon <most> Abfragen offen. Eine davon abbrechen oder später noch einmal versuchen.',
  calls_of_user:
    'Es laufen schon <most> Ihrer Anfragen an verbundene Systeme. Warten Sie, bis eine endet, und versuchen Sie es noch einmal.',
  queries_of_executors:
    'Alle Executors haben so viele Abfragen offen, wie sie halten können. Gleich noch einmal versuchen.',
}
