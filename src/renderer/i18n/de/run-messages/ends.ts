import type { ends as english } from '../../../../contract/run-messages/ends.ts'

export const ends: Record<keyof typeof english, string> = {
  executor_stopped: 'Der Executor wurde angehalten, bevor der Lauf fertig war. Wiederholen Sie den Lauf.',
  no_reason_given: 'Der Executor nannte keinen Grund.',
  not_retried_same_end: 'Der Versuch davor endete ebenso, deshalb wird der Lauf nicht noch einmal versucht.',
  rejects_lost:
    'Der Lauf hat <rejected> Zeilen abgewiesen, aber <arrived> kamen beim Server an. Die geschriebenen Zeilen sind festgeschrieben. Prüfen Sie das Protokoll des Laufs und seines Executors, bevor die Aufgabe noch einmal ausgeführt wird.',
  timeout_not_stopped: 'Der Lauf dauerte länger als erlaubt, und der Executor <executor> hielt ihn nicht an.',
  executor_lost: 'Der Executor <executor> antwortet nicht mehr. Wiederholen Sie den Lauf, wenn er zurück ist.',
  executor_left: 'Der Executor <executor> endete während des Laufs. Wiederholen Sie den Lauf.',
  lost_while_committing:
    'Der Executor <executor> ging verloren, während das Ziel festgeschrieben wurde. Ob die Zeilen geschrieben wurden, ist nicht bekannt.',
  retry_same_result: 'Wiederholen Sie den Lauf: Dieselben Zeilen ergeben noch einmal dasselbe.',
  earlier_attempt_unknown:
    'Ein früherer Versuch hat seine Zeilen vielleicht geschrieben. Prüfen Sie vor dem nächsten Lauf das Ziel.',
  committed_stays: 'Was der Lauf geschrieben hat, ist festgeschrieben und bleibt: Er wird nicht noch einmal versucht.',
  plan_not_made: 'Der Lauf ließ sich nicht vorbereiten. Prüfen Sie das Protokoll des Servers.',
  stopped_after_commit: 'Er wurde angehalten, als das Geschriebene schon festgeschrieben war: Das bleibt.',
  items_failed: '<failed> von <total> Einträgen sind fehlgeschlagen.',
  items_failed_first: '<failed> von <total> Einträgen sind fehlgeschlagen. Der erste: <first>',
  job_run_cannot_continue: 'Der Job-Lauf kann nicht weitergehen: <cause>',
  job_run_server_error:
    'Der Job-Lauf konnte wegen eines Serverfehlers nicht weitergehen. Prüfen Sie das Protokoll des Servers.',
  job_run_timed_out: 'Der Job-Lauf dauerte länger als erlaubt.',
  task_failed_stops: 'Die Aufgabe „<task>“ ist fehlgeschlagen; das hält den Job-Lauf an.',
  task_failed_stops_with: 'Die Aufgabe „<task>“ ist fehlgeschlagen; das hält den Job-Lauf an: <cause>',
  task_cancelled_stops: 'Die Aufgabe „<task>“ wurde abgebrochen; das hält den Job-Lauf an.',
  more_failed: '<count> weitere sind fehlgeschlagen oder wurden abgebrochen.',
  gate_refused: 'Die Freigabe <task> wurde abgelehnt.',
  gate_refused_with: 'Die Freigabe <task> wurde abgelehnt: <cause>',
  task_failed: 'Die Aufgabe „<task>“ ist fehlgeschlagen.',
  task_failed_with: 'Die Aufgabe „<task>“ ist fehlgeschlagen: <cause>',
  task_cancelled: 'Die Aufgabe „<task>“ wurde abgebrochen.',
  task_cancelled_with: 'Die Aufgabe „<task>“ wurde abgebrochen: <cause>',
  outcome_unresolved:
    'Lauf <runs> hat vielleicht Zeilen geschrieben, die dieser Lauf noch einmal schreiben würde: Der Ausgang ist unbekannt. Suchen Sie im Ziel nach diesen Zeilen, und antworten Sie dann unter „Gespeicherter Stand“ der Aufgabe <task>, oder klären Sie den Stand <state> mit der REST-API.',
}
