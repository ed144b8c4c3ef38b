/** Steps, lanes and targets. */
export const steps = {
  no_column_left: 'No column would be left',
  no_column_left_fix: 'Keep at least one column.',
  no_records_but: 'The source gave no records, and so no columns, but <why>',
  no_records_but_fix:
    'Name the columns under `columns` of the source, with their types: then no records are an empty table.',
  expression_returns_rows: 'Column `<to>`: the expression returns rows, not a value',
  expression_returns_rows_fix:
    'An expression gives one value for each row. Use `explode` or a `sql` step to make several rows of one.',
  in_column: 'Column `<column>`: <cause>',
  expectation_failed: '<text><sample>',
  expectation_failed_fix:
    'Fix the data or the expectation. `on_fail: quarantine` rejects the rows, `on_fail: warn` only logs a warning.',
  column_has_no_lists: 'Column `<column>` is <type>: it holds no lists',
  column_has_no_lists_fix: `If its text is JSON, cast it first: \`cast: {<column>: json}\`. Split other text with \`derive: {<column>: "string_split(<column>, ';')"}\`.`,
  column_has_no_lists_fix_2: 'Only lists have items.',
  column_has_no_objects: 'Column `<column>` is <type>: it holds no objects',
  column_has_no_objects_fix: 'If its text is JSON, cast it first: `cast: {<column>: json}`.',
  column_has_no_objects_fix_2: 'Only objects are flattened; lists go through `explode` first.',
  value_not_object: 'Column `<part>` holds <row>, which is not an object',
  value_not_object_fix:
    'Lists go through `explode` first. `flatten: true` leaves columns that hold other things than objects as they are.',
  after_flattening: '<cause> after flattening',
  after_flattening_fix:
    'Choose another `separator` than “<separator>”, or rename or drop the column first. Names must differ in more than case.',
  flatten_too_many_columns: 'Flattening would give more than <most:#> columns',
  flatten_too_many_columns_fix: 'Name the `columns` to flatten, or lower `depth`.',
  too_many_keys: 'There are more than <most:#> keys in the objects of <value>',
  too_many_keys_fix:
    'The keys seem to be data. Make rows of them by `map`: $each(…, function($value, $key) {{"key": $key, "value": $value}}).',
  key_has_nul: 'A key holds a NUL character: <name>',
  key_has_nul_fix: 'No column can be called so. Rename the key by `map`.',
  lookup_types_differ: 'Column `<from>` is <type>, but `<to>` of input `<input>` is <inputType>: they are never equal',
  lookup_types_differ_fix:
    'Give the stream’s column the type of the input’s by a `cast` step before, or declare the input’s type under its `columns`.',
  lookup_adds_column_twice: 'Input `<input>` would add a second column `<clash>`',
  lookup_adds_column_twice_fix:
    'List the columns to add and their names, e.g. `columns: {<input>_<clash>: <from>}`, or drop the other first.',
  lookup_many_rows: 'Input `<input>` has <count:#> rows for <key>',
  lookup_many_rows_fix:
    'Fix the input, add a column to `on` that distinguishes them, or take the first with `on_many: first`.',
  lookup_finds_nothing: '<count:#> of <rows:#> rows find nothing in input `<input>`, such as <example>',
  lookup_finds_nothing_fix: 'Fix the data, or set `on_missing` for such rows: `"null"`, `drop` or `quarantine`.',
  map_without_columns: 'The expression gave no rows, and its text does not show their columns',
  map_without_columns_fix:
    'Name them with their types in the long form: `map: {expression: …, columns: {id: integer}}`. Then no rows are an empty table.',
  column_is_computed: 'Column `<to>` of <table> is computed by the database',
  column_is_computed_fix: 'Drop the column in the task before the target.',
  table_lacks_columns: 'Table <table> has no column `<columns>`',
  table_lacks_columns_fix:
    'Add the columns to the table, drop them in the task, or set `schema.columns: evolve` (adds them) or `schema.columns: discard` (omits them).',
  table_has_no_column: 'Table <table> has none of the task’s columns (`<columns>`)',
  table_has_no_column_fix: 'Rename the columns, or set `schema.columns: evolve`.',
  column_type_differs: 'Column `<to>` of <table> is <type>; the task gives <given>',
  column_type_differs_fix: '<ways:or>.',
  keys_taken_for_equal: 'Table <table> treats two different keys as equal: `<one>` and `<other>` (<columns>)',
  keys_taken_for_equal_fix:
    'Nothing was written. Give the column a collation that distinguishes them, or make the keys alike before the target with a `derive` step.',
  cast_to_keep_digits: 'Cast the column in a `cast` step: to `decimal(38,0)` or `string` to keep every digit.',
  rows_kept: 'Table <table> kept <rows> that `<mode>` deletes: it has <rule>',
  rows_kept_fix: 'Use `mode: upsert`, or remove or disable the rule that keeps deleted rows.',
  connector_has_no_tables: 'Connector `<connector>` (<type>) has no tables to write',
  connector_has_no_tables_fix: 'Bind a connector of type <types:or>.',
  widen_table_column: 'set `schema.types: widen` to widen the table’s column',
  change_column_to_text: 'change the column of the table to TEXT, which SQLite can’t do while the table has rows',
  recreate_column: 'set `schema.types: recreate` to give the column the type of the rows',
  add_cast_step: 'Add a `cast` step for `<from>`',
  cast_in_sql: 'Cast it in a `sql` step (CAST("<column>" AS <type>)), make the column JSON, which takes everything',
  reject_or_upsert:
    'Reject such rows before the target with an `expect` step (`on_fail: quarantine`), or use `mode: upsert`.',
  target_has_fewer: 'The target has <taken:#> of the <sent:#> rows that were sent to it',
  table_took_fewer: 'Table <table> took <taken:#> of <sent:#> rows',
  distinct_keys_differ: '<count:#> rows have a unique key, not <expected:#>',
  table_refused_it: 'Table <table> refused it: <cause>',
  table_refused_row: 'Table <table> refused a row: <cause>',
  totals_need_sql: 'An expression sees one row. Totals need a `sql` step with GROUP BY, or a window: sum(x) OVER ().',
} as const
