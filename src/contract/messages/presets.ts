/** Explorer presets. */
export const presets = {
  preset_of_other: 'This preset belongs to someone else. Only they and admins can change it.',
  preset_needs_connector: 'needs a `connector_id`',
  preset_no_connector: 'There is no connector <id>',
  preset_no_connector_named: 'There is no connector "<name>". Create it, then import again.',
  preset_no_object: 'must be a JSON object with `name`, `description`, `connector`, `resource`, and `definition`',
  preset_field_wrong: '`<path>` is not valid in a preset',
  preset_field_mistake: '`<path>`: <reason>',
  preset_connector_not_mongodb: '`mongoRecord` needs a preset of a MongoDB connector',
  preset_parameter_name: 'must be letters, digits, and `_`',
  preset_parameter_twice: 'There is already a parameter "<name>"',
  preset_parameter_unused:
    'The parameter "<name>" isn’t used. Write `{{<name>}}` where its value belongs, or remove it.',
  preset_parameter_unknown: 'There is no parameter "<name>". Declare it in `parameters`.',
  preset_collection_missing: '`mongoRecord` needs a `collection`',
  records_of_no_record: 'must be `mongoRecord`',
  records_filter_not_saved:
    'Your role can filter records only as a saved preset of this connector does. Send the `preset_id` and its parameter unchanged.',
  preset_default_no_object_id: 'must be 24 hexadecimal characters',
  preset_raw_not_json: 'Parameters need a query in JSON. In SQL, write `:name` and give the value with each run.',
  preset_raw_empty: 'Parameters need a query in JSON that isn’t empty',
  preset_placeholder_in_key: 'A placeholder must be inside a value, not in the name "<key>"',
  profile_one_at_a_time: 'Another column is being profiled. Try again when that is done.',
  query_raw_not_for_viewers:
    'Viewers query this connector with conditions only. An admin can allow other queries in the settings of the connector.',
} as const
