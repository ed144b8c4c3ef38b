import type { Words } from '../../translate.ts'

export const server: Words = {
  cannot_restart: 'Dieser Server kann sich nicht selbst neu starten.',
  would_not_start: 'Der Server würde nicht wieder starten: <reason>',
  backup_under_way: 'Gerade entsteht eine Sicherung. Warten, bis das fertig ist.',
  scheduled_backup_under_way: 'Gerade entsteht eine Sicherung nach Plan. Warten, bis das fertig ist.',
  restore_under_way: 'Gerade wird eine Sicherung wiederhergestellt. Warten, bis das fertig ist.',
  backup_unusable: 'Sie lässt sich nicht verwenden.',
  no_backup: 'Die Sicherung <name> gibt es nicht.',
  backup_damaged: 'Die Sicherung <name> ist beschädigt: Ihre Bytes sind nicht die geschriebenen.',
  backup_foreign: '<name> ist keine Sicherung eines Headgate-Speichers, oder ihr Schema wurde geändert.',
  backup_linked:
    '<name> ist ein Hardlink und lässt sich nicht herunterladen. Die Datei kopieren, statt sie zu verknüpfen.',
  backup_newer:
    'Die Sicherung <name> stammt von einem neueren Headgate (Schema <schema>). Zuerst Headgate aktualisieren.',
  backup_no_room:
    'In <folder> ist nicht genug Platz für eine Sicherung: Nichts wurde aufgehoben. Platz schaffen oder backup.folder setzen.',
  backup_folder_unwritable:
    'In den Ordner <folder> lässt sich nicht schreiben (<code>). Seine Rechte berichtigen oder backup.folder setzen.',
  store_damaged:
    'Der Speicher selbst ist beschädigt und lässt sich nicht ganz kopieren. Zu einer guten Sicherung zurückkehren.',
  config_unreadable: '<path> lässt sich nicht lesen (<reason>): die Rechte berichtigen.',
  config_unwritable: 'In <path> lässt sich nicht schreiben (<reason>): Nichts wurde geändert.',
  config_changed: 'config.yaml wurde eben geändert. Neu laden und die Änderung wiederholen.',
  config_anchors:
    '<path> verwendet Anker, sodass eine Änderung an einer Einstellung andere mit ändern würde: von Hand bearbeiten. Nichts wurde geschrieben.',
  uses_anchors:
    'verwendet Anker, sodass eine Änderung an einer Einstellung andere mit ändern würde: von Hand bearbeiten',
  key_in_keychain:
    'Ihr Schlüssel liegt im Schlüsselbund der Desktop-App: sie mit diesem Datenordner starten oder neu eingeben.',
  key_refused:
    'Der Schlüsselbund dieses Systems gibt ihren Schlüssel nicht her: ihn entsperren oder das zugehörige Konto anmelden und Headgate neu starten, oder neu eingeben.',
  key_in_file: 'Den Schlüssel als eigene Zeile in <file> zurücklegen und Headgate neu starten, oder neu eingeben.',
  config_mistake:
    '<path> wurde von Hand geändert und hat einen Fehler in Zeile <line>, Spalte <column>: zuerst dort berichtigen. Nichts wurde geschrieben.',
  config_mistake_is: '<problem>',
  fixed_by_argument:
    'ist durch ein Argument des Servers festgelegt: ohne dieses Argument starten, um es hier zu ändern',
  fixed_by_variable:
    'ist durch die Umgebungsvariable <variable> festgelegt: den Server ohne sie starten, um es hier zu ändern',
  setting_invalid: '<reason>; <fix>',
  settings_conflict: '<key>: <reason>; <fix>',
  setting_superadmin: 'Nur ein Superadmin kann <key> ändern. Keine Einstellung wurde geändert.',
  setting_unknown: 'ist keine Einstellung; GET /api/server/config führt alle auf',
  setting_unknown_near: 'ist keine Einstellung; war <near> gemeint?',
  key_not_written:
    'Der Schlüssel ließ sich nicht schreiben: Jedes Geheimnis ist noch lesbar. Den Datenträger prüfen und noch einmal versuchen.',
  secrets_lost: '<secrets> von <kind> <name> lassen sich nicht lesen: Der Schlüssel dazu fehlt. Neu eingeben.',
  secret_lost: 'lässt sich nicht mehr lesen: neu eingeben, oder null, um es zu entfernen',
  branding_name: 'darf nicht leer sein und nicht mit Leerzeichen beginnen oder enden',
  branding_message: 'darf außer Zeilenumbrüchen und Tabulatoren keine Steuerzeichen enthalten',
  branding_link: 'muss eine Adresse sein, die mit https://, http:// oder mailto: beginnt',
  branding_mailto: 'muss jemanden nennen: mailto:help@example.com',
  branding_credentials: 'darf weder Benutzername noch Passwort enthalten: Alle sehen es',
  logo_url: 'muss eine data:-URL eines Bildes sein: data:image/png;base64,… (oder jpeg, webp, svg+xml)',
  logo_base64: 'ist kein gültiges base64',
  logo_large: 'ist <kib> KiB groß: höchstens 256 KiB gehen',
  logo_content: 'soll ein Bild der Art <kind> sein, aber der Inhalt ist keines',
  logo_svg: 'ist ein SVG und enthält <part>: als einfaches Bild exportieren',
  upload_large: 'Die Datei ist größer als <most> MiB, die uploads.max_mb erlaubt',
  no_upload: 'Es gibt keine hochgeladene Datei <name>.',
  upload_of_other:
    '<name> hat jemand anderes hochgeladen. Die Person selbst oder ein Administrator kann die Datei löschen.',
  upload_used:
    '<name> ist die Quelle dieser Aufgaben: <tasks>. Erst die Aufgaben ändern oder die Datei mit force=true trotzdem löschen.',
  upload_not_deleted: '<name> lässt sich nicht löschen (<code>). Die Rechte von <folder> prüfen.',
  uploads_of_user: 'Sie laden gerade <most> Dateien hoch. Noch einmal versuchen, wenn eine fertig ist.',
  uploads_under_way: '<most> Dateien werden gerade hochgeladen. Noch einmal versuchen, wenn eine fertig ist.',
  upload_names_used: 'Es gibt <most> Dateien namens <name>. Die Datei umbenennen.',
  uploads_unwritable:
    'In den Ordner hochgeladener Dateien <folder> lässt sich nicht schreiben (<code>). Seine Rechte berichtigen oder uploads.folder setzen.',
  uploads_within_ours:
    'Der Ordner hochgeladener Dateien <folder> liegt in Headgates eigenem, wo kein Konnektor lesen darf. Einen anderen wählen: uploads.folder setzen.',
  uploads_no_room: 'In <folder> ist nicht genug Platz für die Datei. Platz schaffen oder uploads.folder setzen.',
}
