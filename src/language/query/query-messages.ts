import { messagesOf } from '../message.ts'

/** What can be wrong with a query of the builder, or with the values of its parameters. */
export const queryTexts = {
  query_operator_unknown: 'There is no operator "<operator>". Operators are: <operators>',
  query_only_equals: 'HTTP filters are sent as parameters of the address, so the operator must be "="',
  query_field_empty: 'Choose a field',
  query_field_name: '"<field>" can’t be the name of a field here',
  query_resource_missing: 'The builder needs a `resource`: a table, collection, entity set, or file',
  query_resource_name: '"<resource>" can’t be the name of a resource here',
  query_value_number: 'must be a number',
  query_value_boolean: 'must be `true` or `false`',
  query_value_date: 'must be a date such as `2026-01-31` or `2026-01-31T12:30:00Z`',
  query_value_object_id: 'must be 24 hexadecimal characters',
  query_value_null: 'NULL can be compared with "=" and "!=" only',
  query_list_empty: 'needs at least one value',
  query_values_many: 'The conditions of a query can have at most <most:#> values in total',
  query_limit: 'must be a whole number',
  query_values_missing: 'Add at least one value',
  query_value_twice: 'This field already has a value',
  query_action_writes: '`<action>` changes rows. Queries only read: use `find` or `count`.',
  query_count_not_here: 'HTTP can’t count',
  query_columns_not_here: 'HTTP can’t choose columns',
  query_sort_not_here: 'HTTP can’t sort',
  query_limit_not_here: 'HTTP can’t limit the rows',
  query_raw_empty: 'needs a query',
  query_has_nul: 'contains the character NUL (U+0000), where systems would take the text to end; remove it',
  query_parameter_missing: 'The parameter "<name>" needs a value',
  query_parameter_text: 'The parameter "<name>" must be text',
  query_parameter_unknown: 'There is no parameter "<name>"',
  query_parameter_long:
    'The parameter values add up to more than <most:#> characters in this query. Use shorter values.',
} as const

export const queryMsg = messagesOf(queryTexts)
