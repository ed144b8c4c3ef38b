import type { Words } from '../../translate.ts'

export const metrics: Words = {
  metric_unknown: 'Es gibt keine Metrik „<name>“',
  metric_range: 'muss nach `from` liegen',
  metric_too_many_buckets:
    'Das sind mehr als <most> Abschnitte. Wählen Sie längere Abschnitte oder einen kürzeren Zeitraum.',
  metric_too_many_groups:
    'Das sind mehr als <most> Gruppen. Filtern Sie, gruppieren Sie nach weniger, oder setzen Sie `limit`.',
  metrics_counting:
    'Frühere Läufe werden nach dem Update noch gezählt. Versuchen Sie es in einigen Minuten noch einmal.',
  runs_only_by_end: 'braucht `completed_from` oder `completed_to`',
  runs_not_by_end: 'lässt sich nicht mit `completed_from` oder `completed_to` verbinden',
  metric_name_taken: 'steht zweimal in der Liste',
  metric_name_builtin: '„<name>“ ist eine eingebaute Metrik. Wählen Sie einen anderen Namen.',
  metric_threshold_order: 'darf nicht kleiner als `below` sein: jeder Wert wäre eine Verletzung',
  metric_threshold_not_here: 'ist bei Aktualität nicht erlaubt: setzen Sie `source.deadline_minutes`',
  metric_unit_not_here: 'ist bei Aktualität nicht erlaubt, sie wird in Millisekunden gemessen',
  metric_no_task: 'Es gibt keine Aufgabe <id>',
  metric_no_dataset: 'Keine Aufgabe liest oder schreibt den Datenbestand „<dataset>“',
  metric_one_series: 'ist nicht erlaubt: „<name>“ ist eine eigene Metrik und hat nur eine Reihe',
  metric_query_no_row: 'Die Abfrage lieferte keine Zeile. Sie muss eine Zeile mit einer Zahl liefern.',
  metric_query_rows: 'Die Abfrage lieferte mehr als eine Zeile. Sie muss eine Zeile mit einer Zahl liefern.',
  metric_query_columns: 'Die Abfrage lieferte <columns> Spalten. Sie muss eine Zeile mit einer Zahl liefern.',
  metric_query_not_number: 'Der Wert von „<column>“ (<type>) ist keine Zahl. Wandeln Sie ihn in der Abfrage um.',
  metric_run_no_number: 'Lauf #<run> hat keine Zahl bei „<field>“.',
  metric_above: 'Der Wert <value:#> liegt über <limit:#>',
  metric_below: 'Der Wert <value:#> liegt unter <limit:#>',
  metric_overdue: 'Zuletzt geschrieben <at>, fällig <due>',
  metric_never_written: 'Nie geschrieben, fällig <due>',
}
