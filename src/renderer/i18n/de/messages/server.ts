import type { Words } from '../../translate.ts'

export const server: Words = {
  cannot_restart: 'Dieser Server kann sich nicht selbst neu starten.',
  would_not_start: 'Der Server würde nicht wieder starten: <reason>',
  backup_under_way: 'Gerade entsteht eine Sicherung. Warten Sie, bis das fertig ist.',
  scheduled_backup_under_way: 'Gerade entsteht eine Sicherung nach Plan. Warten Sie, bis das fertig ist.',
  restore_under_way: 'Gerade wird eine Sicherung wiederhergestellt. Warten Sie, bis das fertig ist.',
  backup_unusable: 'Sie lässt sich nicht verwenden.',
  no_backup: 'Die Sicherung <name> gibt es nicht.',
  backup_damaged: 'Die Sicherung <name> ist beschädigt: Ihre Bytes sind nicht die geschriebenen.',
  backup_foreign: '<name> ist keine Sicherung eines Headgate-Speichers, oder ihr Schema wurde geändert.',
  backup_linked:
    '<name> ist ein Hardlink und lässt sich nicht herunterladen. Kopieren Sie die Datei, statt sie zu verknüpfen.',
  backup_newer:
    'Die Sicherung <name> stammt von einem neueren Headgate (Schema <schema>). Aktualisieren Sie zuerst Headgate.',
  backup_no_room:
    'In <folder> ist nicht genug Platz für eine Sicherung: Nichts wurde aufgehoben. Schaffen Sie Platz, oder setzen Sie backup.folder.',
  restore_no_room:
    'In <folder> ist nicht genug Platz, um zu der Sicherung zurückzukehren: Nichts wurde geändert. Schaffen Sie Platz.',
  backup_folder_unwritable:
    'In den Ordner <folder> lässt sich nicht schreiben (<code>). Berichtigen Sie seine Rechte, oder setzen Sie backup.folder.',
  store_damaged:
    'Der Speicher selbst ist beschädigt und lässt sich nicht ganz kopieren. Zu einer guten Sicherung zurückkehren.',
  config_unreadable: '<path> lässt sich nicht lesen (<reason>): Berichtigen Sie die Rechte.',
  config_unwritable: 'In <path> lässt sich nicht schreiben (<reason>): Nichts wurde geändert.',
  config_changed: 'config.yaml wurde eben geändert. Laden Sie die Seite neu, und wiederholen Sie die Änderung.',
  config_anchors:
    '<path> verwendet Anker, sodass eine Änderung an einer Einstellung andere mit ändern würde: Bearbeiten Sie die Datei von Hand. Nichts wurde geschrieben.',
  uses_anchors:
    'verwendet Anker, sodass eine Änderung an einer Einstellung andere mit ändern würde: bearbeiten Sie die Datei von Hand',
  key_in_keychain:
    'Ihr Schlüssel liegt im Schlüsselbund der Desktop-App: Starten Sie sie mit diesem Datenordner, oder geben Sie sie neu ein.',
  key_refused:
    'Der Schlüsselbund dieses Systems gibt ihren Schlüssel nicht her: Entsperren Sie ihn, oder melden Sie das zugehörige Konto an, und starten Sie Headgate neu, oder geben Sie sie neu ein.',
  key_in_file:
    'Legen Sie den Schlüssel als eigene Zeile in <file> zurück, und starten Sie Headgate neu, oder geben Sie sie neu ein.',
  config_mistake:
    '<path> wurde von Hand geändert und hat einen Fehler in Zeile <line>, Spalte <column>: Berichtigen Sie ihn zuerst dort. Nichts wurde geschrieben.',
  config_mistake_is: '<problem>',
  fixed_by_argument:
    'ist durch ein Argument des Servers festgelegt: ohne dieses Argument starten, um es hier zu ändern',
  fixed_by_variable:
    'ist durch die Umgebungsvariable <variable> festgelegt: den Server ohne sie starten, um es hier zu ändern',
  setting_invalid: '<reason>; <fix>',
  settings_conflict: '<key>: <reason>; <fix>',
  setting_superadmin: 'Nur ein Hauptadministrator kann <key> ändern. Keine Einstellung wurde geändert.',
  setting_unknown: 'ist keine Einstellung; GET /api/server/config führt alle auf',
  setting_unknown_near: 'ist keine Einstellung; war <near> gemeint?',
  key_not_written:
    'Der Schlüssel ließ sich nicht schreiben: Jedes Geheimnis ist noch lesbar. Prüfen Sie den Datenträger, und versuchen Sie es noch einmal.',
  secrets_lost: '<secrets> von <kind> <name> lassen sich nicht lesen: Der Schlüssel dazu fehlt. Geben Sie sie neu ein.',
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
  logo_svg: 'ist ein SVG und enthält <part>: exportieren Sie es als einfaches Bild',
  upload_large: 'Die Datei ist größer als <most> MiB, die uploads.max_mb erlaubt',
  no_upload: 'Es gibt keine hochgeladene Datei <name>.',
  upload_of_other:
    '<name> hat jemand anderes hochgeladen. Die Person selbst oder ein Administrator kann die Datei löschen.',
  upload_used:
    '<name> ist die Quelle dieser Aufgaben: <tasks>. Ändern Sie erst die Aufgaben, oder löschen Sie die Datei mit force=true trotzdem.',
  upload_not_deleted: '<name> lässt sich nicht löschen (<code>). Prüfen Sie die Rechte von <folder>.',
  uploads_of_user: 'Sie laden gerade <most> Dateien hoch. Versuchen Sie es noch einmal, wenn eine fertig ist.',
  uploads_under_way: '<most> Dateien werden gerade hochgeladen. Versuchen Sie es noch einmal, wenn eine fertig ist.',
  upload_names_used: 'Es gibt <most> Dateien namens <name>. Benennen Sie die Datei um.',
  uploads_unwritable:
    'In den Ordner hochgeladener Dateien <folder> lässt sich nicht schreiben (<code>). Berichtigen Sie seine Rechte, oder setzen Sie uploads.folder.',
  uploads_within_ours:
    'Der Ordner hochgeladener Dateien <folder> liegt in Headgates eigenem, wo kein Konnektor lesen darf. Wählen Sie einen anderen: Setzen Sie uploads.folder.',
  uploads_no_room:
    'In <folder> ist nicht genug Platz für die Datei. Schaffen Sie Platz, oder setzen Sie uploads.folder.',
}
