import type { Severity } from './diagnostics.ts'

/**
 * Every code a diagnostic may carry, with its severity. Codes are stable: scripts and tests match on them.
 * Each has at least one fixture under test/language/fixtures (a test fails when one is missing).
 */
export const diagnosticCodes = {
  // The text and its YAML
  document_too_large: 'error',
  document_empty: 'error',
  invalid_character: 'error',
  hidden_character: 'warning',
  too_deep: 'error',
  yaml_syntax: 'error',
  tab_indent: 'error',
  several_documents: 'error',
  directive_not_allowed: 'error',
  tag_not_allowed: 'error',
  merge_key: 'error',
  key_not_text: 'error',
  reserved_key: 'error',
  duplicate_key: 'error',
  bare_braces: 'error',
  alias_unknown: 'error',
  alias_recursive: 'error',
  too_many_aliases: 'error',
  too_many_values: 'error',
  // Keys and values
  unsupported_version: 'error',
  unknown_key: 'error',
  missing_field: 'error',
  missing_choice: 'error',
  several_choices: 'error',
  wrong_type: 'error',
  not_one_of: 'error',
  invalid_value: 'error',
  out_of_range: 'error',
  wrong_length: 'error',
  duplicate_item: 'error',
  number_not_exact: 'error',
  ambiguous_scalar: 'warning',
  // Expressions
  expression_not_allowed: 'error',
  expression_unclosed: 'error',
  expression_syntax: 'error',
  expression_forbidden: 'error',
  unknown_function: 'error',
  unknown_reference: 'error',
  // SQL
  expression_in_sql: 'error',
  sql_unclosed: 'error',
  sql_several_statements: 'error',
  sql_not_a_query: 'error',
  sql_not_an_expression: 'error',
  sql_stream_unused: 'warning',
  sql_transaction: 'error',
  positional_bind: 'error',
  unknown_bind: 'error',
  unused_parameter: 'warning',
  // Connectors
  unknown_slot: 'error',
  unused_slot: 'warning',
  slot_type: 'error',
  slot_access: 'error',
  // Inputs and state
  unknown_input: 'error',
  unused_input: 'warning',
  unused_cursor: 'warning',
  cursor_with_append: 'warning',
  cursor_with_replace: 'warning',
  // Arguments
  unused_argument: 'warning',
  required_with_default: 'error',
  constraint_not_applicable: 'error',
  range_reversed: 'error',
  default_not_allowed: 'error',
  pattern_invalid: 'error',
  pattern_unsafe: 'error',
  // Sources, steps and targets
  step_empty: 'error',
  step_several_keys: 'error',
  unknown_column: 'error',
  column_exists: 'error',
  path_outside: 'error',
  header_not_allowed: 'error',
  format_unknown: 'error',
  option_not_applicable: 'error',
  new_files_replace: 'warning',
  upsert_without_key: 'error',
  key_without_upsert: 'warning',
  operator_not_allowed: 'error',
} as const satisfies Record<string, Severity>

export type DiagnosticCode = keyof typeof diagnosticCodes
