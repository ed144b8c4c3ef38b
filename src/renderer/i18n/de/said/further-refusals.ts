import type { Phrases } from '../../phrases.ts'

/** What the server refuses or tells beyond that: backups, overrides, files of its own, single fields. */
export const furtherRefusals: Phrases = {
  'Requests from pages of another site are refused.': 'Anfragen von Seiten anderer Herkunft werden abgelehnt.',
  'Requests from pages of another origin are refused.': 'Anfragen von Seiten anderer Herkunft werden abgelehnt.',
  'The host <host> is not served here. Use <address>, or list the name in server.allowed_hosts.':
    'Der Host <host> wird hier nicht bedient. <address> verwenden oder den Namen in server.allowed_hosts aufnehmen.',
  '<secrets*> of the <kind> <name*> cannot be read: the key they were encrypted with is not here. Enter them again.':
    '<secrets> von <kind> <name> lassen sich nicht lesen: Der Schlüssel dazu fehlt. Neu eingeben.',
  '<secrets*> cannot be read: the key they were encrypted with is not here. Enter them again.':
    '<secrets> lassen sich nicht lesen: Der Schlüssel dazu fehlt. Neu eingeben.',
  'No authenticator app is enrolled: begin with setup-totp.':
    'Keine Authenticator-App ist eingerichtet: zuerst einrichten.',
  'This session is complete: there is nothing to verify.': 'Diese Sitzung ist vollständig: Zu prüfen gibt es nichts.',
  'No second factor is enrolled: there is nothing to recover.':
    'Kein zweiter Faktor ist eingerichtet: Wiederherzustellen gibt es nichts.',
  'Your own second factor goes with your password and a code: POST /api/auth/disable-totp.':
    'Der eigene zweite Faktor geht mit Passwort und Code weg: in den eigenen Einstellungen.',
  'A launch token works on this computer only.': 'Ein Starttoken gilt nur auf diesem Rechner.',
  'This server cannot start itself anew.': 'Dieser Server kann sich nicht selbst neu starten.',
  'The backup <name> is damaged: its bytes are not those that were written.':
    'Die Sicherung <name> ist beschädigt: Ihre Bytes sind nicht die geschriebenen.',
  '<name> is no backup of a Headgate store.': '<name> ist keine Sicherung eines Headgate-Speichers.',
  'The backup <name> was written by a newer Headgate (schema <schema>). Update Headgate first.':
    'Die Sicherung <name> stammt von einem neueren Headgate (Schema <schema>). Zuerst Headgate aktualisieren.',
  'There is not enough room for a backup in <folder*>: nothing was kept. Free some space, or set backup.folder.':
    'In <folder> ist nicht genug Platz für eine Sicherung: Nichts wurde aufgehoben. Platz schaffen oder backup.folder setzen.',
  'The folder <folder*> cannot be written (<code>). Correct its rights, or set backup.folder.':
    'In den Ordner <folder> lässt sich nicht schreiben (<code>). Seine Rechte berichtigen oder backup.folder setzen.',
  'The store itself is damaged and cannot be copied whole. Go back to a good backup.':
    'Der Speicher selbst ist beschädigt und lässt sich nicht ganz kopieren. Zu einer guten Sicherung zurückkehren.',
  'The file is larger than <most> MiB, which uploads.max_mb allows':
    'Die Datei ist größer als <most> MiB, die uploads.max_mb erlaubt',
  'The folder of uploads <folder*> lies within Headgate’s own, where no connector may read. Choose another one: set uploads.folder.':
    'Der Ordner hochgeladener Dateien <folder> liegt in Headgates eigenem, wo kein Konnektor lesen darf. Einen anderen wählen: uploads.folder setzen.',
  'There is not enough room for the file in <folder*>. Free some space, or set uploads.folder.':
    'In <folder> ist nicht genug Platz für die Datei. Platz schaffen oder uploads.folder setzen.',
  'The folder of uploads <folder*> cannot be written (<code>). Correct its rights, or set uploads.folder.':
    'In den Ordner hochgeladener Dateien <folder> lässt sich nicht schreiben (<code>). Seine Rechte berichtigen oder uploads.folder setzen.',
  '<most> uploads are under way. Try again when one has ended.':
    '<most> Dateien werden gerade hochgeladen. Noch einmal versuchen, wenn eine fertig ist.',
  'There are <most> files called <name*>. Rename the file.':
    'Es gibt <most> Dateien namens <name>. Die Datei umbenennen.',
  'A backup is being made.': 'Gerade entsteht eine Sicherung.',
  'A scheduled backup is being made.': 'Gerade entsteht eine Sicherung nach Plan.',
  'A backup is being restored.': 'Gerade wird eine Sicherung wiederhergestellt.',
  'Wait until that is done.': 'Warten, bis das fertig ist.',
  'The server is ending.': 'Der Server wird beendet.',
  'The server is ending. Try again shortly.': 'Der Server wird beendet. Gleich noch einmal versuchen.',
  'It cannot be used.': 'Sie lässt sich nicht verwenden.',
  'No executor is online: start one with `npm run executor`, or restart the app, which starts its own.':
    'Kein Executor ist bereit: einen mit `npm run executor` starten oder die App neu starten, die ihren eigenen startet.',
  'Too many interactive requests wait already. Try again shortly.':
    'Zu viele Anfragen warten schon. Gleich noch einmal versuchen.',
  'There is no `<name>` here; an expression begins with `event`, as in `<example>`.':
    '`<name>` gibt es hier nicht; ein Ausdruck beginnt mit `event`, wie in `<example>`.',
  'Schedules were paused when job run <id> ended: nothing was started.':
    'Zeitpläne waren pausiert, als Job-Lauf <id> endete: Nichts wurde gestartet.',
  'Job run <id> had not ended.': 'Job-Lauf <id> war noch nicht zu Ende.',
  'Event trigger <name*> is no webhook: it has no token.':
    'Der Ereignisauslöser <name> ist kein Webhook: Er hat kein Token.',
  'Schedules are paused: nothing was started. Send it again when they have been resumed.':
    'Zeitpläne sind pausiert: Nichts wurde gestartet. Nach dem Fortsetzen noch einmal senden.',
  'More than <count> files match: only so many are looked at. Narrow the pattern.':
    'Mehr als <count> Dateien passen: Nur so viele werden angesehen. Das Muster enger fassen.',
  'Internal error: the log says more.': 'Interner Fehler: Das Protokoll sagt mehr.',
  '<count> imports are under way. Try again when one has ended.':
    '<count> Importe laufen schon. Noch einmal versuchen, wenn einer zu Ende ist.',
  'An executor named <name*> is online already. Choose another name, or try again in <seconds> s, when its lease has ended.':
    'Ein Executor namens <name> ist schon bereit. Einen anderen Namen wählen oder in <seconds> s noch einmal versuchen.',
  'The job run took longer than its time limit.': 'Der Job-Lauf dauerte länger als erlaubt.',
  'The job run could not go on because of an error of the server; its log says more.':
    'Der Job-Lauf konnte wegen eines Serverfehlers nicht weitergehen; das Protokoll des Servers sagt mehr.',
  'The job run cannot go on: <message*>': 'Der Job-Lauf kann nicht weitergehen: <message>',
  'The job run has no task <key>; did you mean <near>?': 'Der Job-Lauf hat keine Aufgabe <key>; war <near> gemeint?',
  'The job has no task <key>; did you mean <near>?': 'Der Job hat keine Aufgabe <key>; war <near> gemeint?',
  'The job has no task <key>': 'Der Job hat keine Aufgabe <key>',
  'It was stopped when what it wrote was committed already: that stays.':
    'Er wurde angehalten, als das Geschriebene schon festgeschrieben war: Das bleibt.',
  'Gate <key> was refused': 'Die Freigabe <key> wurde abgelehnt',
  'Task <key> failed': 'Die Aufgabe <key> ist fehlgeschlagen',
  'Task <key> was cancelled': 'Die Aufgabe <key> wurde abgebrochen',
  'Task <key> failed: <message*>': 'Die Aufgabe <key> ist fehlgeschlagen: <message>',
  'Task <key> failed, which stops the job run': 'Die Aufgabe <key> ist fehlgeschlagen; das hält den Job-Lauf an',
  '<count> of <total> items failed.': '<count> von <total> Einträgen sind fehlgeschlagen.',
  '<count> of <total> items failed. <first*>': '<count> von <total> Einträgen sind fehlgeschlagen. <first>',
  'The job template binds nothing to the slot `<slot>`; it binds <list>.':
    'Die Job-Vorlage ordnet dem Platz `<slot>` nichts zu; belegt sind: <list>.',
  'Use the slots that the template binds, or change the template.':
    'Die Plätze verwenden, die die Vorlage belegt, oder die Vorlage ändern.',
  'The slot `<slot>` takes a <types> connector; the job binds <name*> there, which is <type>.':
    'Der Platz `<slot>` nimmt einen Konnektor für <types>; der Job hat dort <name>, einen für <type>.',
  'Let the slot take <type>, or bind another connector first.':
    'Den Platz <type> nehmen lassen oder zuerst einen anderen Konnektor zuordnen.',
  'The slot `<slot>` is written to, but the job binds <name*> there, which is read only.':
    'In den Platz `<slot>` wird geschrieben, doch der Job hat dort <name>, der nur gelesen werden darf.',
  'Only read from it, or bind another connector first.':
    'Nur daraus lesen oder zuerst einen anderen Konnektor zuordnen.',
  'The job template binds the slot `<slot>`, which is not among the slots of this YAML: <list>.':
    'Die Job-Vorlage belegt den Platz `<slot>`, den dieses YAML nicht hat; es hat: <list>.',
  'Keep `<name>` under `<section>:`.': '`<name>` unter `<section>:` behalten.',
  'The argument `<name>` is required, but the job template does not give it.':
    'Das Argument `<name>` ist nötig, doch die Job-Vorlage gibt es nicht an.',
  'Give it a default, or change the template.': 'Ihm eine Vorgabe geben oder die Vorlage ändern.',
  'The job template gives the argument `<name>`, which <problem>.':
    'Die Job-Vorlage gibt das Argument `<name>` an; es <problem>.',
  'Let the argument take that value, or change the template.':
    'Das Argument diesen Wert annehmen lassen oder die Vorlage ändern.',
  'The job template gives the argument `<name>`, which this YAML does not have.':
    'Die Job-Vorlage gibt das Argument `<name>` an, das dieses YAML nicht hat.',
  'The plan of the run could not be made.': 'Der Plan des Laufs ließ sich nicht erstellen.',
  'The executor gave no reason.': 'Der Executor nannte keinen Grund.',
  'Their key is in the keychain of the desktop app: start the desktop app on this data folder, or enter them again.':
    'Ihr Schlüssel liegt im Schlüsselbund der Desktop-App: sie mit diesem Datenordner starten oder neu eingeben.',
  'The keychain of this system does not give their key: unlock it or sign in to the account that had it and start Headgate again, or enter them again.':
    'Der Schlüsselbund dieses Systems gibt ihren Schlüssel nicht her: ihn entsperren oder das zugehörige Konto anmelden und Headgate neu starten, oder neu eingeben.',
  'Put the key back, as a line of its own, into <path*> and start Headgate again, or enter them again.':
    'Den Schlüssel als eigene Zeile in <path> zurücklegen und Headgate neu starten, oder neu eingeben.',
  'The key could not be written: every secret can still be read. Look at the disk and try again.':
    'Der Schlüssel ließ sich nicht schreiben: Jedes Geheimnis ist noch lesbar. Den Datenträger prüfen und noch einmal versuchen.',
  '<path*> cannot be read (<code>): correct its rights.':
    '<path> lässt sich nicht lesen (<code>): die Rechte berichtigen.',
  '<path*> cannot be written (<code>): nothing was changed.':
    'In <path> lässt sich nicht schreiben (<code>): Nichts wurde geändert.',
  '<path*> was edited by hand and has a mistake in line <line>, column <column>: correct it there first. Nothing was written.':
    '<path> wurde von Hand geändert und hat einen Fehler in Zeile <line>, Spalte <column>: zuerst dort berichtigen. Nichts wurde geschrieben.',
  'Its time passed while nobody could fire, and the misfire policy did not start it later.':
    'Der Zeitpunkt verging, als niemand auslösen konnte, und nach der Regel für Verpasstes wurde nicht nachgeholt.',
  // About one field
  'is missing': 'fehlt',
  'is wrong': 'ist falsch',
  'is taken': 'ist vergeben',
  'must be in the future': 'muss in der Zukunft liegen',
  'must be given: the current one': 'ist anzugeben: das jetzige',
  'is wrong, too old, or was used before': 'ist falsch, zu alt oder schon verwendet',
  'must not be empty': 'darf nicht leer sein',
  'must not hold control characters': 'darf keine Steuerzeichen enthalten',
  'must have at least <count> characters': 'muss mindestens <count> Zeichen haben',
  'must have at most <count> characters': 'darf höchstens <count> Zeichen haben',
  'must have at least <count> element': 'muss mindestens <count> Eintrag haben',
  'must have at least <count> elements': 'muss mindestens <count> Einträge haben',
  'must have at most <count> elements': 'darf höchstens <count> Einträge haben',
  'must be at least <count>': 'muss mindestens <count> sein',
  'must be at most <count>': 'darf höchstens <count> sein',
  'must be <wanted>, not <actual>': 'muss <wanted> sein, nicht <actual>',
  'must be a time such as <example>': 'muss ein Zeitpunkt wie <example> sein',
  'must not hold the same element twice': 'darf keinen Eintrag zweimal enthalten',
  'has none of the allowed forms': 'hat keine der erlaubten Formen',
  'must be one of <list>': 'muss eines davon sein: <list>',
  'is not a known field': 'ist kein bekanntes Feld',
  'is not a known field; did you mean <near>?': 'ist kein bekanntes Feld; war <near> gemeint?',
  'lies before `from`': 'liegt vor `from`',
  'is no IANA time zone, such as Europe/Berlin': 'ist keine IANA-Zeitzone, etwa Europe/Berlin',
  'never fires: none of its months has such a day': 'löst nie aus: Keiner seiner Monate hat so einen Tag',
  'must be one line': 'muss eine Zeile sein',
  'must be an http or https address, such as <example>': 'muss eine http- oder https-Adresse sein, etwa <example>',
  "isn't allowed here because everyone can read it. Choose a sign-in method under `auth` and enter the secret there.":
    'darf hier nicht stehen, wo alle es lesen: unter `auth` wählen, wie angemeldet wird, und das Geheimnis dort eingeben',
  "contains characters that aren't allowed in headers":
    'enthält ein Zeilenende oder ein anderes Zeichen, das in Kopfzeilen nicht geht',
  'is set automatically. Remove it.': 'setzt jede Anfrage selbst: weglassen',
  'must be an address such as <example>, not <value>': 'muss eine Adresse wie <example> sein, nicht <value>',
}

/** Parts of such sentences. */
export const refusalFragments: Phrases = {
  pending: 'eingereiht',
  running: 'läuft',
  success: 'erfolgreich',
  completed: 'abgeschlossen',
  failed: 'fehlgeschlagen',
  cancelled: 'abgebrochen',
  paused: 'pausiert',
  skipped: 'übersprungen',
  online: 'bereit',
  draining: 'am Auslaufen',
  offline: 'offline',
  lost: 'verloren',
  viewer: 'Betrachter',
  editor: 'Bearbeiter',
  admin: 'Administrator',
  superadmin: 'Hauptadministrator',
  '<count> seconds': '<count> Sekunden',
  '<count> minutes': '<count> Minuten',
}
