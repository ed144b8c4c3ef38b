/** What happens to values that arrive differently from how they came. */
export const valueChanges = {
  change_rounded: 'rounded to <type>',
  change_rounded_to_fit: 'rounded to fit <type>',
  change_truncated_to_fit: 'truncated to fit <type>',
  change_minus_zero: '-0.0 stored as 0.0',
  change_minus_zero_either: '-0.0 may be read back as 0.0, and 0.0 as -0.0',
  change_text_decimals: 'stored as text, which SQLite compares as text',
  change_without_zone: 'stored in UTC, without a time zone',
  change_padded: 'padded with blanks to <type>',
  change_mysql_json: 'stored as MySQL JSON, which reorders keys and keeps numbers as floating point',
  change_milliseconds: 'truncated to milliseconds',
  change_time_in_utc: 'converted to UTC',
  change_read_as: 'declared as <declared>, read as <type>',
  change_zero_dates: 'not a date, such as 0000-00-00, read as NULL',
  change_non_finite_text: 'NaN or infinity, written as text',
  change_long_number_text: 'more than 15 digits, written as text',
  change_excel_date_text: 'a date or time that Excel cannot hold, written as text',
} as const
