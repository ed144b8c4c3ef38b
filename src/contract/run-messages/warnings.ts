/** Warnings of sources and steps, which a run logs and a preview shows, and what a preview can't show. */
export const warnings = {
  columns_renamed: '<place>: column names are missing or used more than once: <renamed:,>',
  column_renamed: '`<written>` in column <number> is called `<name>`',
  column_named: 'column <number> is called `<name>`',
  and_others: '…',
  place_header: '<file>, header',
  place_row: '<where>, row <number>',
  kind_numbers: 'numbers',
  kind_texts: 'texts',
  kind_booleans: 'booleans',
  kind_moments: 'dates',
  kind_times: 'times of day',
  kind_uuids: 'UUIDs',
  kind_bytes: 'bytes',
  kind_documents: 'lists or objects',
  error_cells_null: 'Cells that show an error are read as NULL: <kinds:,>',
  error_cells: '<count:#> × <kind>',
  formulas_without_result:
    'Formulas without a stored result are read as NULL: <count:#>. Open the workbook in Excel and save it.',
  merged_cells_null:
    '<where>: <cells:#> cells of <ranges:#> merged ranges are read as NULL, because only the first cell of a range has a value. Set `xlsx.merged_cells: repeat` to repeat it.',
  merged_cell_null:
    '<where>: one cell of a merged range is read as NULL, because only the first cell of a range has a value. Set `xlsx.merged_cells: repeat` to repeat it.',
  delimiter_unlikely:
    'The header is read as one column, `<column>`. If <delimiter> separates the columns, set `csv: {delimiter: <delimiter>}`.',
  type_of_no_column: 'The files have no column `<column>`; its type under `columns` is not used',
  text_of_detected_type:
    'Column `<column>` was detected as <type> and is written to a text column in the form of <type>. To keep the text of the file, declare the column as `string` in the source.',
  file_taken_for_no_rows: '<file> is empty: it is read as no rows of the columns that the task declares',
  entity_not_described: 'The service describes nothing at `<entity>`: types follow from the values',
  kind_not_previewed: 'Tasks of kind `<kind>` have no preview, because it would do their work',
  kind_not_previewed_fix: 'The YAML is still validated. Run the task to see what it does.',
  of_input: 'Input <input>: <remark>',
  rows_without_cursor:
    'Rows without `<column>`: <count:#>. A later run only reads them again if its source gives them.',
  rows_with_odd_cursor: 'Rows whose `<column>` is infinite or not a number: <count:#>. The cursor ignores them.',
} as const
