import type { Words } from '../../translate.ts'

export const metrics: Words = {
  metric_unknown: 'Es gibt keine Metrik „<name>“',
  metric_range: 'muss nach `from` liegen',
  metric_too_many_buckets:
    'Das sind mehr als <most> Abschnitte. Wählen Sie längere Abschnitte oder einen kürzeren Zeitraum.',
  metric_too_many_groups:
    'Das sind mehr als <most> Gruppen. Filtern Sie, gruppieren Sie nach weniger, oder setzen Sie `limit`.',
}
