import type { code as english } from '../../../../contract/run-messages/code.ts'

export const code: Record<keyof typeof english, string> = {
  interpreter_missing: '`<program>` lässt sich nicht starten: Das in der ersten Zeile (`#!`) genannte Programm fehlt',
  interpreter_missing_fix:
    'Installieren Sie <interpreter> auf dem Computer des Executors, oder korrigieren Sie die Zeile.',
  commands_off: 'Dieser Executor führt keine Programme aus',
  commands_off_fix: 'Der Betreiber erlaubt es beim Starten des Executors: <usage>.',
  program_not_allowed: 'Dieser Executor führt `<program>` nicht aus',
  program_not_allowed_fix:
    'Der Betreiber erlaubt: <programs>. Nennen Sie eines davon mit vollständigem Pfad, oder lassen Sie <variable> ändern.',
  variable_not_allowed: 'Die Variable `<name>` darf auf diesem Executor nicht gesetzt werden',
  variable_not_allowed_fix:
    'Mit ihr könnte ein erlaubtes Programm ein anderes ausführen; <variable> listet auf, was hier laufen darf.',
  success_failed: 'http.success: <cause>',
  success_failed_fix: 'Vergleichen Sie den Ausdruck mit der Antwort des Servers.',
  success_false: '`success` ist nicht erfüllt: <what> antwortete mit <http_status>: <shown>',
  success_false_fix: 'Der Aufruf wurde ausgeführt. Prüfen Sie die Antwort und `success`.',
  kind_not_on_executor: 'Dieser Executor führt keine Aufgaben der Art `<type>` aus',
  kind_not_on_executor_fix: 'Er führt <types> aus. Ein neuerer Executor kennt vielleicht mehr.',
  at_place: '<place>: <cause>',
  expression_too_slow: '<row>: Der Ausdruck brauchte länger als <seconds> s',
  expression_too_slow_fix: 'Suchen Sie nach endloser Rekursion, oder erhöhen Sie `timeout` des Schritts.',
  expression_failed_in_row: '<row>: Der Ausdruck ist fehlgeschlagen<at>: <text>',
  expression_failed_in_row_fix:
    'Korrigieren Sie den Ausdruck, oder filtern Sie solche Zeilen vorher heraus. Die Vorschau zeigt die Zeilen, die den Schritt erreichen.',
  expression_out_of_memory: '<row>: Der Ausdruck braucht mehr als <memoryMb> MiB Speicher',
  expression_out_of_memory_fix:
    'Suchen Sie nach endloser Rekursion, oder machen Sie aus einer Zeile weniger: `explode` hält sie nicht im Speicher.',
  expression_thread_ended: 'Der Thread des Ausdrucks endete unerwartet',
  script_thread_ended: 'Der Thread des Skripts endete unerwartet',
  script_out_of_memory: 'Das Skript braucht mehr als <memoryMb> MiB Speicher',
  script_out_of_memory_fix: 'Halten Sie weniger auf einmal, oder erhöhen Sie `memory_mb` (höchstens 512).',
  script_too_slow: 'Das Skript brauchte länger als <seconds> s',
  script_too_slow_fix: 'Suchen Sie nach einer endlosen Schleife, oder geben Sie der Aufgabe ein längeres `timeout`.',
  script_result_invalid: 'Das Ergebnis des Skripts: <text>',
  script_result_invalid_fix: 'Geben Sie weniger zurück: Ausgaben fassen 64 KB.',
  program_missing: 'Auf dem Computer des Executors gibt es kein Programm `<program>`',
  program_missing_fix: 'Geben Sie den vollständigen Pfad an, etwa /usr/bin/rsync.',
  program_not_permitted: '`<program>` lässt sich nicht ausführen: Zugriff verweigert',
  program_not_permitted_fix: 'Machen Sie die Datei für das Konto des Executors ausführbar (`chmod +x`).',
  not_a_program: '`<program>` ist kein Programm',
  not_a_program_fix: 'Ein Skript braucht eine erste Zeile, die seinen Interpreter nennt, etwa `#!/bin/sh`.',
  arguments_too_long: 'Die Argumente von `<program>` sind zu lang',
  arguments_too_long_fix: 'Übergeben Sie stattdessen eine Datei.',
  program_not_started: '`<program>` lässt sich nicht starten: <cause>',
  check_executor_machine: 'Prüfen Sie den Computer des Executors.',
  program_damaged:
    'Vielleicht ist es für eine andere Art von Computer gemacht, beschädigt, oder ein nötiger Teil des Systems fehlt: Starten Sie es auf dem Computer des Executors von Hand.',
  command_failed_fix:
    'Die Ausgabe steht im Protokoll des Laufs. `success_codes` listet die Codes, die kein Fehler sind.',
  script_syntax_fix:
    'Es ist der Rumpf einer Funktion: `return` liefert das Ergebnis. `import` gibt es nicht, und `await` nur in einer async-Funktion.',
  script_failed_fix:
    'Ein Skript hat die Objekte von JavaScript, `args`, `run` und `console`; keine Dateien, kein Netzwerk und keine Timer.',
  program_cannot_start: '`<program>` lässt sich nicht starten',
  command_ended: '`<program>` <how>',
  command_ended_with: '`<program>` <how>: <text>',
  script_unreadable: 'Das Skript ist nicht lesbar: <cause>',
  script_failed: 'Das Skript ist fehlgeschlagen: <cause>',
  script_at: 'Zeile <line>, Spalte <column>: <cause>',
  script_at_line: 'Zeile <line>: <cause>',
}
