import type { Words } from '../../translate.ts'

export const triggers: Words = {
  needed_for_type: 'ist für die Art <type> nötig',
  not_of_type: 'gibt es bei der Art <type> nicht',
  not_event: '`<name>` gibt es hier nicht; ein Ausdruck beginnt mit `event`, wie in `${{ event.body.day }}`.',
  no_job: 'Einen Job <id> gibt es nicht',
  job_loop: 'würde Jobs im Kreis starten: <jobs>',
  event_trigger_name_taken:
    'Der Job hat schon einen Ereignisauslöser "<name>" (ID <id>). Wählen Sie einen anderen Namen.',
  not_a_webhook: 'Der Ereignisauslöser <name> ist kein Webhook: Er hat kein Token.',
  schedules_paused:
    'Auslöser sind pausiert, deshalb wurde nichts gestartet. Senden Sie die Anfrage nach dem Fortsetzen noch einmal.',
  job_not_started: 'Der Job ließ sich nicht starten: <reason>',
  time_has_passed: '<time> ist vorbei; es ist jetzt <now>',
  trigger_time_passed: '<time> ist vorbei: Geben Sie dem Auslöser einen neuen Zeitpunkt.',
  job_run_not_ended: 'Job-Lauf #<id> war noch nicht zu Ende.',
  paused_at_end: 'Auslöser waren pausiert, als Job-Lauf #<id> endete: Nichts wurde gestartet.',
  time_missed:
    'Der Zeitpunkt verging, als Headgate nicht lief, und nach der Regel für Verpasstes wurde nicht nachgeholt.',
  files_too_many: 'Mehr als <most:#> Dateien passen: Nur so viele werden angesehen. Fassen Sie das Muster enger.',
  internal_error: 'Interner Fehler: Das Protokoll sagt mehr.',
  schedule_invalid: '<field> <problem>',
  after_from: 'muss nach `from` liegen',
  within_366_days: 'darf höchstens 366 Tage nach `from` liegen',
  zone_unknown: '"<zone>" ist keine Zeitzone; nennen Sie eine wie `Europe/Berlin` oder `UTC`',
  moment_invalid: 'muss ein Zeitpunkt nach ISO 8601 in UTC sein, wie `2026-03-01T08:30:00Z`, weil die Art one_off ist',
  cron_nickname_same: 'ist ein Kürzel; schreiben Sie `<same>`',
  cron_nickname: 'ist ein Kürzel; schreiben Sie fünf Felder: Minute, Stunde, Tag des Monats, Monat, Wochentag',
  cron_few_fields: 'hat <count> Felder; nötig sind fünf: Minute, Stunde, Tag des Monats, Monat, Wochentag.',
  cron_many_fields:
    'hat <count> Felder; nötig sind fünf: Minute, Stunde, Tag des Monats, Monat, Wochentag. Sekunden und Jahre gehen nicht.',
  cron_field: 'Feld <number> (<field>): <problem>',
  cron_never: 'löst nie aus: Keiner seiner Monate hat so einen Tag',
  cron_empty_place: 'hat eine leere Stelle in der Liste',
  cron_steps: '`<item>` hat mehr als eine Schrittweite',
  cron_range: 'der Bereich `<item>` endet, bevor er beginnt; schreiben Sie zwei, wie in `<instead>`',
  cron_step_alone: 'eine Schrittweite gehört zu `*` oder einem Bereich: schreiben Sie `<instead>` statt `<item>`',
  cron_step_whole: 'die Schrittweite von `<item>` muss eine ganze Zahl ab 1 sein',
  cron_step_large: 'die Schrittweite von `<item>` ist größer als das Feld',
  cron_between: '<value> liegt nicht zwischen <min> und <max>',
  cron_question: '`?` ist kein klassisches Cron; schreiben Sie `*`',
  cron_foreign: '`<item>` ist kein klassisches Cron: Es gehen Zahlen, Namen, Listen, Bereiche und Schrittweiten',
  cron_not_understood: '`<item>` wird nicht verstanden; es gehen <min>–<max>, `*`, Listen, Bereiche und Schrittweiten',
  cron_not_understood_names:
    '`<item>` wird nicht verstanden; es gehen <min>–<max> oder ein Name (<first> … <last>), `*`, Listen, Bereiche und Schrittweiten',
}
