import type { valueChanges as english } from '../../../../contract/run-messages/value-changes.ts'

export const valueChanges: Record<keyof typeof english, string> = {
  change_rounded: 'gerundet auf <type>',
  change_rounded_to_fit: 'gerundet, damit sie in <type> passen',
  change_truncated_to_fit: 'abgeschnitten, damit sie in <type> passen',
  change_minus_zero: '-0.0 wird als 0.0 gespeichert',
  change_minus_zero_either: '-0.0 kann als 0.0 zurückkommen, und 0.0 als -0.0',
  change_text_years: 'außerhalb der Jahre 0 bis 9999, als Text gespeichert, den SQLite nicht nach der Zeit sortiert',
  change_text_decimals: 'als Text gespeichert, den SQLite als Text vergleicht',
  change_without_zone: 'in UTC gespeichert, ohne Zeitzone',
  change_padded: 'mit Leerzeichen aufgefüllt auf <type>',
  change_mysql_json: 'als JSON von MySQL gespeichert, das Schlüssel umordnet und Zahlen als Gleitkomma hält',
  change_milliseconds: 'auf Millisekunden abgeschnitten',
  change_time_in_utc: 'in UTC umgerechnet',
  change_read_as: 'deklariert als <declared>, gelesen als <type>',
  change_zero_dates: 'kein Datum, etwa 0000-00-00, als NULL gelesen',
  change_kinds_mixed: 'eine von mehreren Arten (<kinds:,>), als <type> gelesen',
  change_numbers_as_text: 'in einer Spalte mit mehr Stellen, als ein Zahlentyp hält, als Text gelesen',
  change_half_character: 'halbes Zeichen (ein einzelnes Surrogat), als U+FFFD gelesen',
  change_non_finite_text: 'NaN oder unendlich, als Text geschrieben',
  change_long_number_text: 'mehr als 15 Stellen, als Text geschrieben',
  change_excel_date_text: 'ein Datum oder eine Zeit, die Excel nicht hält, als Text geschrieben',
}
