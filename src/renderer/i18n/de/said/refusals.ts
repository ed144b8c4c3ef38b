import type { Phrases } from '../../phrases.ts'

/** What the server says when it refuses something. Its words about single fields stand after the field's name. */
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
  // Any record
  'The record was changed since you read it. Read it again, then repeat your change.':
    'Inzwischen wurde das geändert. Neu laden und die Änderung wiederholen.',
  'There is one of this name already. Choose another name.': 'Diesen Namen gibt es schon. Einen anderen Namen wählen.',
  'A task named <name> exists already (id <id>). Choose another name.':
    'Eine Aufgabe namens <name> gibt es schon (ID <id>). Einen anderen Namen wählen.',
  'A task named <name> exists already (id <id>, archived). Choose another name.':
    'Eine Aufgabe namens <name> gibt es schon (ID <id>, archiviert). Einen anderen Namen wählen.',
  'A job template named <name> exists already (id <id>). Choose another name.':
    'Eine Job-Vorlage namens <name> gibt es schon (ID <id>). Einen anderen Namen wählen.',
  'A job template named <name> exists already (id <id>, archived). Choose another name.':
    'Eine Job-Vorlage namens <name> gibt es schon (ID <id>, archiviert). Einen anderen Namen wählen.',
  'A job named <name> exists already (id <id>). Choose another name.':
    'Einen Job namens <name> gibt es schon (ID <id>). Einen anderen Namen wählen.',
  'A job named <name> exists already (id <id>, archived). Choose another name.':
    'Einen Job namens <name> gibt es schon (ID <id>, archiviert). Einen anderen Namen wählen.',
  'A connector named <name> exists already (id <id>). Choose another name.':
    'Einen Konnektor namens <name> gibt es schon (ID <id>). Einen anderen Namen wählen.',
  'A channel named <name> exists already (id <id>). Choose another name.':
    'Einen Kanal namens <name> gibt es schon (ID <id>). Einen anderen Namen wählen.',
  'The job has an event trigger named <name> already (id <id>). Choose another name.':
    'Der Job hat schon einen Ereignisauslöser namens <name> (ID <id>). Einen anderen Namen wählen.',
  'The task has errors': 'Die Aufgabe enthält Fehler',
  'The job template has errors': 'Die Job-Vorlage enthält Fehler',
  // Tasks and runs
  'Task <name*> is archived: restore it to run it.':
    'Die Aufgabe <name> ist archiviert: zum Ausführen aus dem Archiv holen.',
  'This version of the task has errors: open it, mend it and save it.':
    'Diese Version der Aufgabe enthält Fehler: öffnen, beheben und speichern.',
  'Run <id> has ended already: it is <status>.': 'Lauf <id> hat schon geendet: <status>.',
  'Run <id> has not ended': 'Lauf <id> ist noch nicht zu Ende',
  'Run <id> is still <status>: cancel it or wait for its end.':
    'Lauf <id> ist noch nicht zu Ende (<status>): abbrechen oder das Ende abwarten.',
  'Run <id> belongs to job run <run>: resume or rerun the job run.':
    'Lauf <id> gehört zum Job-Lauf <run>: den Job-Lauf fortsetzen oder wiederholen.',
  'Version <version> of task <name*> is gone.': 'Version <version> der Aufgabe <name> gibt es nicht mehr.',
  'Run <id> was removed: retention.runs_days and retention.runs_max say how long runs are kept.':
    'Lauf <id> wurde entfernt: retention.runs_days und retention.runs_max sagen, wie lange Läufe bleiben.',
  'Lines <from> to <to> of the log of run <id> are missing: retention.logs_days and retention.logs_mb say how long logs are kept.':
    'Die Zeilen <from> bis <to> des Protokolls von Lauf <id> fehlen: retention.logs_days und retention.logs_mb sagen, wie lange Protokolle bleiben.',
  'Job run <id> was removed: retention.runs_days and retention.runs_max say how long runs are kept.':
    'Job-Lauf <id> wurde entfernt: retention.runs_days und retention.runs_max sagen, wie lange Läufe bleiben.',
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
  'No answer within <seconds> s. Look at the executor, or ask for less.':
    'Keine Antwort innerhalb von <seconds> s. Nach dem Executor sehen oder weniger verlangen.',
  'The executor ended while it worked on this. Try again.': 'Der Executor endete dabei. Noch einmal versuchen.',
  'The server is ending. Try again.': 'Der Server wird beendet. Noch einmal versuchen.',
  'Headgate is ending. Try again when it has started anew.':
    'Headgate wird beendet. Nach dem Neustart noch einmal versuchen.',
  // Connectors
  'Connector <name*> is archived: restore it or choose another':
    'Der Konnektor <name> ist archiviert: aus dem Archiv holen oder einen anderen wählen',
  'Slot <slot> is not bound: choose a <types> connector':
    'Der Platz <slot> ist nicht belegt: einen Konnektor für <types> wählen',
  'Slot <slot> takes a <types> connector; <name*> is <type>':
    'Der Platz <slot> nimmt einen Konnektor für <types>; <name> ist einer für <type>',
  'There is no connector with id <id>': 'Einen Konnektor mit der ID <id> gibt es nicht',
  // Jobs
  'Job <name*> is archived: restore it to run it.':
    'Der Job <name> ist archiviert: zum Ausführen aus dem Archiv holen.',
  'Job <name*> is archived: restore it first.': 'Der Job <name> ist archiviert: zuerst aus dem Archiv holen.',
  'Job run <id> of this job has not ended, and the job template says `on_overlap: skip`.':
    'Job-Lauf <id> dieses Jobs ist noch nicht zu Ende, und die Job-Vorlage sagt `on_overlap: skip`.',
  'Job run <id> has ended already: it is <status>.': 'Job-Lauf <id> hat schon geendet: <status>.',
  'Job run <id> is <status>: only a running one can be paused.':
    'Job-Lauf <id> lässt sich nicht pausieren (<status>): Das geht nur, solange er läuft.',
  'Job run <id> is <status>: only one that is paused or failed can be resumed.':
    'Job-Lauf <id> lässt sich nicht fortsetzen (<status>): Das geht nur bei pausierten und fehlgeschlagenen.',
  'Job run <id> is <status>: pause or cancel it, or wait for its end.':
    'Job-Lauf <id> ist noch nicht zu Ende (<status>): pausieren, abbrechen oder das Ende abwarten.',
  'Job run <id> is about to end: it waits only for what is under way.':
    'Job-Lauf <id> endet gleich: Er wartet nur noch auf Laufendes.',
  'Job run <id> is being cancelled.': 'Job-Lauf <id> wird gerade abgebrochen.',
  'Job run <id> of the same job has not ended: it is <status>. Resume this one after it.':
    'Job-Lauf <id> desselben Jobs ist noch nicht zu Ende (<status>). Diesen danach fortsetzen.',
  'Gate <key> does not wait for an answer: it is <status>.': 'Die Freigabe <key> wartet auf keine Antwort: <status>.',
  'The template that this job holds has errors in this version of the language: upgrade the job.':
    'Die Vorlage dieses Jobs enthält in dieser Version der Sprache Fehler: den Job aktualisieren.',
  '<key> is a gate: it has no task that could be replaced':
    '<key> ist eine Freigabe: Eine Aufgabe zum Ersetzen gibt es dort nicht',
  '<key> is a gate: it cannot be run alone': '<key> ist eine Freigabe und lässt sich nicht allein ausführen',
  'The task does not fit the job': 'Die Aufgabe passt nicht zum Job',
  'The job cannot be upgraded as it is': 'So lässt sich der Job nicht aktualisieren',
  'The job’s own YAML of <key> does not fit the new template: remove it, then upgrade':
    'Das eigene YAML des Jobs für <key> passt nicht zur neuen Vorlage: zuerst entfernen',
  'Job template <name*> is archived: restore it to upgrade to it.':
    'Die Job-Vorlage <name> ist archiviert: zuerst aus dem Archiv holen.',
  'Job template <name*> is archived: restore it to make jobs from it.':
    'Die Job-Vorlage <name> ist archiviert: aus dem Archiv holen, um Jobs daraus zu machen.',
  'Version <version> of job template <name*> has errors: open it and mend it':
    'Version <version> der Job-Vorlage <name> enthält Fehler: öffnen und beheben',
  '<expression*> has passed: give the trigger a new time.':
    '<expression> ist vorbei: dem Auslöser einen neuen Zeitpunkt geben.',
  'The job could not be started: <message*>': 'Der Job ließ sich nicht starten: <message>',
  // The rest
  'The channel is switched off: switch it on first.': 'Der Kanal ist ausgeschaltet: zuerst einschalten.',
  'This delivery is <status>: only a failed one is sent again.':
    'Diese Zustellung lässt sich nicht wiederholen (<status>): Das geht nur bei fehlgeschlagenen.',
  'There is no backup <name>.': 'Die Sicherung <name> gibt es nicht.',
  'The server would not start again: <message*>': 'Der Server würde nicht wieder starten: <message>',
  'The bundle is larger than 256 MiB': 'Das Bündel ist größer als 256 MiB',
  'The bundle broke off. Nothing was imported.': 'Das Bündel brach ab. Nichts wurde importiert.',
  'The disk is full: the bundle could not be read. Nothing was imported.':
    'Der Datenträger ist voll: Das Bündel ließ sich nicht lesen. Nichts wurde importiert.',
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
  'Executor <name*> is <status>: there is nothing to drain.':
    'Der Executor <name> ist schon <status>: Stillzulegen gibt es nichts.',
  'config.yaml was changed at this very moment. Read it again, then repeat your change.':
    'config.yaml wurde eben geändert. Neu laden und die Änderung wiederholen.',
  'The disk is full: nothing was saved. Free some space; reading goes on meanwhile.':
    'Der Datenträger ist voll: Nichts wurde gespeichert. Platz schaffen; lesen geht inzwischen weiter.',
  'The data folder cannot be written: nothing was saved. Look at its disk and its rights.':
    'In den Datenordner lässt sich nicht schreiben: Nichts wurde gespeichert. Datenträger und Rechte prüfen.',
}
