import type { code as english } from '../../../../contract/run-messages/code.ts'

export const code: Record<keyof typeof english, string> = {
  interpreter_missing: '`<program>` lässt sich nicht starten: Das in der ersten Zeile (`#!`) genannte Programm fehlt',
  interpreter_missing_fix: '<interpreter> auf dem Rechner des Executors installieren oder die Zeile korrigieren.',
  commands_off: 'Dieser Executor führt keine Programme aus',
  commands_off_fix: 'Der Betreiber erlaubt es beim Starten des Executors: <usage>.',
  program_not_allowed: 'Dieser Executor führt `<program>` nicht aus',
  program_not_allowed_fix:
    'Der Betreiber erlaubt: <programs>. Eines davon mit vollständigem Pfad nennen oder <variable> ändern lassen.',
  variable_not_allowed: 'Die Variable `<name>` darf auf diesem Executor nicht gesetzt werden',
  variable_not_allowed_fix:
    'Mit ihr könnte ein erlaubtes Programm ein anderes ausführen; <variable> listet auf, was hier laufen darf.',
  success_failed: 'http.success: <cause>',
  success_failed_fix: 'Den Ausdruck mit der Antwort des Servers vergleichen.',
  success_false: '`success` ist nicht erfüllt: <what> antwortete mit <http_status>: <shown>',
  success_false_fix: 'Der Aufruf wurde ausgeführt. Die Antwort und `success` prüfen.',
  kind_not_on_executor: 'Dieser Executor führt keine Aufgaben der Art `<type>` aus',
  kind_not_on_executor_fix: 'Er führt <types> aus. Ein neuerer Executor kennt vielleicht mehr.',
  at_place: '<place>: <cause>',
  expression_too_slow: '<row>: Der Ausdruck brauchte länger als <seconds> s',
  expression_too_slow_fix: 'Nach endloser Rekursion suchen oder `timeout` des Schritts erhöhen.',
  expression_failed_in_row: '<row>: Der Ausdruck ist fehlgeschlagen<at>: <text>',
  expression_failed_in_row_fix:
    'Den Ausdruck korrigieren oder solche Zeilen vorher herausfiltern. Die Vorschau zeigt die Zeilen, die den Schritt erreichen.',
  expression_out_of_memory: '<row>: Der Ausdruck braucht mehr als <memoryMb> MB Speicher',
  expression_out_of_memory_fix:
    'Nach endloser Rekursion suchen oder aus einer Zeile weniger machen: `explode` hält sie nicht im Speicher.',
  expression_thread_ended: 'Der Thread des Ausdrucks endete unerwartet',
  script_thread_ended: 'Der Thread des Skripts endete unerwartet',
  script_out_of_memory: 'Das Skript braucht mehr als <memoryMb> MB Speicher',
  script_out_of_memory_fix: 'Weniger auf einmal halten oder `memory_mb` erhöhen (höchstens 512).',
  script_too_slow: 'Das Skript brauchte länger als <seconds> s',
  script_too_slow_fix: 'Nach einer endlosen Schleife suchen oder der Aufgabe ein längeres `timeout` geben.',
  script_result_invalid: 'Das Ergebnis des Skripts: <text>',
  script_result_invalid_fix: 'Weniger zurückgeben: Ausgaben fassen 64 KB.',
}
