import type { LabelPatterns } from '../../labels.ts'

/** What happens to values that arrive differently (`changes` of the executor). */
export const changePatterns: LabelPatterns = {
  'rounded to <type>': 'gerundet auf <type>',
  'rounded to fit <type>': 'gerundet, damit sie in <type> passen',
  'truncated to fit <type>': 'abgeschnitten, damit sie in <type> passen',
  '-0.0 stored as 0.0': '-0.0 wird als 0.0 gespeichert',
  '-0.0 may be read back as 0.0, and 0.0 as -0.0': '-0.0 kann als 0.0 zurückkommen, und 0.0 als -0.0',
  'stored as text, which SQLite compares as text': 'als Text gespeichert, den SQLite als Text vergleicht',
  'stored in UTC, without a time zone': 'in UTC gespeichert, ohne Zeitzone',
  'padded with blanks to <type>': 'mit Leerzeichen aufgefüllt auf <type>',
  'stored as MySQL JSON, which reorders keys and keeps numbers as floating point':
    'als JSON von MySQL gespeichert, das Schlüssel umordnet und Zahlen als Gleitkomma hält',
  'truncated to milliseconds': 'auf Millisekunden abgeschnitten',
  'converted to UTC': 'in UTC umgerechnet',
  'declared as <declared>, read as <type>': 'deklariert als <declared>, gelesen als <type>',
  'not a date, such as 0000-00-00, read as NULL': 'kein Datum, etwa 0000-00-00, als NULL gelesen',
  'NaN or infinity, written as text': 'NaN oder unendlich, als Text geschrieben',
  'more than 15 digits, written as text': 'mehr als 15 Stellen, als Text geschrieben',
  'a date or time that Excel cannot hold, written as text':
    'ein Datum oder eine Zeit, die Excel nicht hält, als Text geschrieben',
}
