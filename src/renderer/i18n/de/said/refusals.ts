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
  'A task of this name exists already': 'Eine Aufgabe dieses Namens gibt es schon',
  'A job template of this name exists already': 'Eine Job-Vorlage dieses Namens gibt es schon',
  'A reference of this name exists already': 'Eine Referenz dieses Namens gibt es schon',
  'The reference exists here and differs': 'Die Referenz gibt es hier, und sie ist anders',
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
  reference: 'Referenz',
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
