import type { Phrases } from '../../phrases.ts'

/** What the server writes down with runs, triggers and imports, and what it says of values that do not fit a schema. */
export const refusals: Phrases = {
  'Invalid input': 'Ungültige Angaben',
  'The record is in a state that does not allow this': 'In diesem Zustand geht das nicht',
  'The bundle could not be read': 'Das Bündel ließ sich nicht lesen',
  'Not authenticated': 'Nicht angemeldet',
  'Your role does not allow this': 'Ihre Rolle erlaubt das nicht',
  'Resource not found': 'Das gibt es nicht',
  'The request took too long to arrive': 'Die Anfrage kam nicht rechtzeitig an',
  'The request headers are too large': 'Die Kopfzeilen der Anfrage sind zu groß',
  'The record was changed meanwhile': 'Inzwischen wurde etwas geändert',
  'The request body is too large': 'Die Anfrage ist zu groß',
  'Too many requests. Try again later.': 'Zu viele Anfragen. Später noch einmal versuchen.',
  'Internal error': 'Interner Fehler',
  'The connected system refused': 'Das verbundene System hat abgelehnt',
  'Not available right now': 'Gerade nicht verfügbar',
  'The work took too long': 'Die Arbeit dauerte zu lange',
  // Tasks and runs
  'Run <id> has not ended': 'Lauf <id> ist noch nicht zu Ende',
  'The executor was stopped before the run had finished. Retry the run.':
    'Der Executor wurde angehalten, bevor der Lauf fertig war. Den Lauf wiederholen.',
  'The run took longer than its time limit, and executor <name*> did not stop it.':
    'Der Lauf dauerte länger als erlaubt, und der Executor <name> hielt ihn nicht an.',
  'Executor <name*> was not heard from any more. Retry the run when it is back.':
    'Vom Executor <name> war nichts mehr zu hören. Den Lauf wiederholen, wenn er zurück ist.',
  'Executor <name*> was lost while the target was being committed, so it is not known whether the rows were written. Retry the run: the same rows again give the same result.':
    'Der Executor <name> ging verloren, während das Ziel festgeschrieben wurde. Ob die Zeilen geschrieben wurden, ist nicht bekannt. Den Lauf wiederholen: Dieselben Zeilen ergeben noch einmal dasselbe.',
  'Executor <name*> was lost while the target was being committed, so it is not known whether the rows were written. Look at the target before you retry the run: its rows could be written twice.':
    'Der Executor <name> ging verloren, während das Ziel festgeschrieben wurde. Ob die Zeilen geschrieben wurden, ist nicht bekannt. Im Ziel nachsehen, bevor der Lauf wiederholt wird: Die Zeilen könnten doppelt geschrieben werden.',
  'Executor <name*> ended while the run was under way. Retry the run.':
    'Der Executor <name> endete während des Laufs. Den Lauf wiederholen.',
  'The run rejected <n> rows, but <m> reached the server. The rows that it wrote are committed. Check the log of the run and of its executor before you run the task again.':
    'Der Lauf hat <n> Zeilen zurückgewiesen, aber <m> kamen beim Server an. Die geschriebenen Zeilen sind festgeschrieben. Prüfe das Protokoll des Laufs und seines Executors, bevor du die Aufgabe noch einmal ausführst.',
  'What the run wrote is committed and stays: it is not tried again.':
    'Was der Lauf geschrieben hat, ist festgeschrieben und bleibt: Er wird nicht noch einmal versucht.',
  'The attempt before it ended in the same way, so the run is not retried.':
    'Der Versuch davor endete ebenso, deshalb wird der Lauf nicht noch einmal versucht.',
  'Run <runs*> may have written rows that this run would write again: the outcome is unknown. Check the target for those rows, then answer under Saved state of the task, or with POST /api/tasks/<task>/states/<state>/resolve.':
    'Lauf <runs> hat vielleicht Zeilen geschrieben, die dieser Lauf noch einmal schreiben würde: Der Ausgang ist unbekannt. Im Ziel nach diesen Zeilen sehen und dann unter „Gespeicherter Stand“ der Aufgabe antworten oder mit POST /api/tasks/<task>/states/<state>/resolve.',
  'A task of this name exists already': 'Eine Aufgabe dieses Namens gibt es schon',
  'A job template of this name exists already': 'Eine Job-Vorlage dieses Namens gibt es schon',
  'Nothing differs': 'Nichts ist anders',
  'Nothing differs; it stays archived': 'Nichts ist anders; bleibt archiviert',
  'The task is archived here': 'Die Aufgabe ist hier archiviert',
  'The job template is archived here': 'Die Job-Vorlage ist hier archiviert',
  'The task exists here and differs': 'Die Aufgabe gibt es hier, und sie ist anders',
  'The job template exists here and differs': 'Die Job-Vorlage gibt es hier, und sie ist anders',
  'Only checked': 'Nur geprüft',
  'Not usable yet: <missing*>': 'Noch nicht verwendbar: <missing>',
  // Triggers, job runs, overrides
  '<secrets*> cannot be read: the key they were encrypted with is not here. Enter them again.':
    '<secrets> lassen sich nicht lesen: Der Schlüssel dazu fehlt. Neu eingeben.',
  'Schedules were paused when job run <id> ended: nothing was started.':
    'Zeitpläne waren pausiert, als Job-Lauf <id> endete: Nichts wurde gestartet.',
  'Job run <id> had not ended.': 'Job-Lauf <id> war noch nicht zu Ende.',
  'More than <count> files match: only so many are looked at. Narrow the pattern.':
    'Mehr als <count> Dateien passen: Nur so viele werden angesehen. Das Muster enger fassen.',
  'Internal error: the log says more.': 'Interner Fehler: Das Protokoll sagt mehr.',
  'The job run took longer than its time limit.': 'Der Job-Lauf dauerte länger als erlaubt.',
  'The job run could not go on because of an error of the server; its log says more.':
    'Der Job-Lauf konnte wegen eines Serverfehlers nicht weitergehen; das Protokoll des Servers sagt mehr.',
  'The job run cannot go on: <message*>': 'Der Job-Lauf kann nicht weitergehen: <message>',
  'It was stopped when what it wrote was committed already: that stays.':
    'Er wurde angehalten, als das Geschriebene schon festgeschrieben war: Das bleibt.',
  'Gate <key> was rejected': 'Die Freigabe <key> wurde abgelehnt',
  'Task <key> failed': 'Die Aufgabe <key> ist fehlgeschlagen',
  'Task <key> was cancelled': 'Die Aufgabe <key> wurde abgebrochen',
  'Task <key> failed: <message*>': 'Die Aufgabe <key> ist fehlgeschlagen: <message>',
  'Task <key> failed, which stops the job run': 'Die Aufgabe <key> ist fehlgeschlagen; das hält den Job-Lauf an',
  '<count> of <total> items failed.': '<count> von <total> Einträgen sind fehlgeschlagen.',
  '<count> of <total> items failed. <first*>': '<count> von <total> Einträgen sind fehlgeschlagen. <first>',
  'The plan of the run could not be made.': 'Der Plan des Laufs ließ sich nicht erstellen.',
  'The executor gave no reason.': 'Der Executor nannte keinen Grund.',
  'Their key is in the keychain of the desktop app: start the desktop app on this data folder, or enter them again.':
    'Ihr Schlüssel liegt im Schlüsselbund der Desktop-App: sie mit diesem Datenordner starten oder neu eingeben.',
  'The keychain of this system does not give their key: unlock it or sign in to the account that had it and start Headgate again, or enter them again.':
    'Der Schlüsselbund dieses Systems gibt ihren Schlüssel nicht her: ihn entsperren oder das zugehörige Konto anmelden und Headgate neu starten, oder neu eingeben.',
  'Put the key back on its own line in <path*> and start Headgate again, or enter them again.':
    'Den Schlüssel als eigene Zeile in <path> zurücklegen und Headgate neu starten, oder neu eingeben.',
  'Its time passed while Headgate was not running, and the misfire policy did not start it later.':
    'Der Zeitpunkt verging, als niemand auslösen konnte, und nach der Regel für Verpasstes wurde nicht nachgeholt.',
  // About one field
  'must have at least <count> characters': 'muss mindestens <count> Zeichen haben',
  'must have at most <count> characters': 'darf höchstens <count> Zeichen haben',
  'must have at least <count> element': 'muss mindestens <count> Eintrag haben',
  'must have at least <count> elements': 'muss mindestens <count> Einträge haben',
  'must have at most <count> elements': 'darf höchstens <count> Einträge haben',
  'must be at least <count>': 'muss mindestens <count> sein',
  'must be at most <count>': 'darf höchstens <count> sein',
  'must be <wanted>, not <actual>': 'muss <wanted> sein, nicht <actual>',
  'must not hold the same element twice': 'darf keinen Eintrag zweimal enthalten',
  'has none of the allowed forms': 'hat keine der erlaubten Formen',
}

/** Parts of such sentences. */
export const refusalFragments: Phrases = {
  task: 'Aufgabe',
  'job template': 'Job-Vorlage',
  job: 'Job',
  connector: 'Konnektor',
  channel: 'Kanal',
  'The task': 'Die Aufgabe',
  'The job template': 'Die Job-Vorlage',
  'The event trigger': 'Der Ereignisauslöser',
  minute: 'Minute',
  hour: 'Stunde',
  'day of month': 'Tag des Monats',
  month: 'Monat',
  'day of week': 'Wochentag',
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
}
