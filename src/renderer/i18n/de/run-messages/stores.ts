import type { stores as english } from '../../../../contract/run-messages/stores.ts'

export const stores: Record<keyof typeof english, string> = {
  folder_check_failed: '<folder>: <cause>',
  folder_check_failed_fix: 'Dem Benutzer, unter dem Headgate läuft, die nötigen Rechte geben.',
  folder_check_failed_fix_2: 'Den Ordner und seinen Datenträger prüfen.',
  path_is_folder: '`<path>` ist ein Ordner (Konnektor `<connector>`)',
  path_is_folder_fix: 'Eine Datei darin angeben.',
  file_changed_while_read: '<local> hat sich während des Lesens geändert. <how>.',
  file_changed_while_read_fix:
    'Nichts wurde geschrieben. Noch einmal ausführen, wenn die Datei vollständig ist. Programme, die sie schreiben, sollten eine andere Datei schreiben und am Ende umbenennen.',
  folder_unlistable: '<folder> lässt sich nicht auflisten: <cause>',
  disk_full_for_file: 'Der Datenträger ist voll: <file>',
  disk_full_for_file_fix: 'Speicherplatz freigeben und noch einmal ausführen; die Datei ist unverändert.',
  file_unwritable: '<file> lässt sich nicht schreiben: <cause>',
  file_unwritable_fix: 'Prüfen, ob der Benutzer, unter dem Headgate läuft, in den Ordner schreiben darf.',
  database_missing: 'Die Datenbank existiert nicht: <path>',
  database_missing_fix: 'Ein schreibgeschützter Konnektor braucht eine vorhandene Datei.',
  database_cannot_be_made: 'Die Datenbank existiert nicht und lässt sich nicht anlegen: <path>',
  database_cannot_be_made_fix:
    'Den Ordner anlegen oder dem Benutzer, unter dem Headgate läuft, dort Schreibrechte geben.',
  s3_driver_missing: 'Der S3-Treiber lässt sich nicht laden: <cause>',
  secret_key_missing: 'Der Konnektor `<connector>` hat einen Zugriffsschlüssel, aber keinen geheimen Schlüssel',
  secret_key_missing_fix:
    'Den geheimen Schlüssel in den Einstellungen des Konnektors eingeben oder für einen öffentlichen Bucket den Zugriffsschlüssel entfernen.',
  prefix_outside: 'Das Präfix des Konnektors `<connector>` enthält `..`',
  prefix_outside_fix: 'Das Präfix so schreiben, wie die Schlüssel beginnen, z. B. `exports/2026`.',
  bucket_unreached: '<host> ist nicht erreichbar: <text>',
  bucket_unreached_fix: 'Endpunkt, Region und Bucket prüfen, und ob „Bucket im Pfad“ nötig ist.',
  size_unknown: '<place>: Der Speicher nennt nicht, wie groß <path> ist',
  size_unknown_fix:
    'Ohne die Größe lässt sich eine abgeschnittene Datei nicht erkennen. Den Endpunkt und einen Proxy davor prüfen.',
  object_key_not_utf8: 'Der Schlüssel eines Objekts ist kein gültiges UTF-8: `<listed>`',
  object_key_not_utf8_fix: 'Das Objekt umbenennen oder ein Muster verwenden, dessen Ordner es nicht enthält.',
  sftp_driver_missing: 'Der SFTP-Treiber lässt sich nicht laden: <cause>',
  host_key_differs: '<host>:<port> zeigt den Hostschlüssel <seen>, der Konnektor `<connector>` erwartet aber <known>',
  host_key_differs_fix:
    'Wenn die Verwaltung des Servers den neuen Schlüssel bestätigt, ihn in den Einstellungen des Konnektors eintragen. Andernfalls wird die Verbindung vielleicht abgefangen.',
  folder_missing_on_server: 'Der Ordner <folder> existiert nicht (Konnektor `<connector>`)',
  folder_missing_on_server_fix:
    'Den Ordner in den Einstellungen des Konnektors prüfen: so, wie ihn der Server sieht, mit einem Schrägstrich am Anfang.',
  folder_is_file_on_server: '<path> ist eine Datei (Konnektor `<connector>`)',
  folder_is_file_on_server_fix: 'Den Ordner nennen, in dem die Datei liegt.',
  target_is_folder: '`<path>` ist auf dem Server ein Ordner',
  target_is_folder_fix: 'Den Namen einer Datei schreiben.',
  files_larger_than_disk: 'Die Dateien brauchen <size:#> Byte, und <folder> hat Platz für <free:#> (<place>)',
  files_larger_than_disk_fix:
    'Entfernte Dateien werden vor dem Lesen geholt: Speicherplatz freigeben oder in einem Lauf weniger Dateien lesen.',
  temp_disk_full: 'Der Datenträger mit dem temporären Ordner des Executors ist voll',
  temp_folder_unwritable: 'In den temporären Ordner des Executors lässt sich nicht schreiben',
  temp_disk_full_fix: 'Entfernte Dateien werden vor dem Lesen geholt: Speicherplatz freigeben oder weniger lesen.',
  file_keeps_changing: '<place>/<path> ändert sich während des Lesens immer wieder',
  file_keeps_changing_fix:
    'Das schreibende Programm sollte unter einem anderen Namen schreiben und am Ende umbenennen. Noch einmal ausführen, wenn die Datei vollständig ist.',
  file_removed_before_read: '<place>/<path> wurde entfernt, bevor die Datei gelesen werden konnte',
  file_removed_before_read_fix: 'Noch einmal ausführen, damit die Dateien neu aufgelistet werden.',
  pattern_has_too_many: 'Das Muster `<text>` steht für zu viele andere',
  pattern_has_too_many_fix: 'Klammern dürfen aus einem Muster höchstens <most:#> machen; stattdessen `*` verwenden.',
  folder_missing: 'Der Ordner des Konnektors `<connector>` existiert nicht: <root>',
  folder_unopenable: 'Der Ordner des Konnektors `<connector>` lässt sich nicht öffnen: <cause>',
  folder_missing_fix:
    'Den Ordner auf dem Rechner des Executors anlegen oder die Einstellungen des Konnektors korrigieren.',
  folder_is_file: 'Der Ordner des Konnektors `<connector>` ist eine Datei: <root>',
  path_leads_out: '`<path>` führt aus dem Ordner des Konnektors `<connector>` hinaus',
  path_leads_out_fix:
    'Pfade gelten ab dem Ordner des Konnektors und bleiben darin; das gilt auch für symbolische Links.',
  too_many_files: 'Mehr als <most:#> Dateien passen auf `<text>` in <place> (Konnektor `<connector>`)',
  too_many_files_fix:
    'Das Muster enger fassen, z. B. mit einem Argument auf den Ordner eines Tages, und die Aufgabe für jeden ausführen.',
  no_file_matches: 'Keine Datei passt auf `<text>` in <place> (Konnektor `<connector>`)',
  file_format_unknown: '<name> ist keine Datei eines bekannten Formats',
  file_format_unknown_fix: 'Bekannt sind CSV, JSON Lines, JSON, Parquet und Excel.',
  connector_keeps_no_files: 'Der Konnektor `<connector>` ist vom Typ <type> und enthält keine Dateien',
  connector_keeps_no_files_fix: 'Diesem Slot einen Konnektor vom Typ <types> zuordnen.',
  entry_not_utf8:
    'Ein Eintrag in <folder> passt vielleicht auf `<pattern>`, aber sein Name ist kein gültiges UTF-8: `<escaped>`',
  entry_not_utf8_fix: 'Den Eintrag umbenennen oder ein Muster verwenden, auf das er nicht passt.',
}
