/** Dashboard templates, dashboards, and public links. */
export const dashboards = {
  dashboard_template_has_errors: 'The dashboard template has errors',
  dashboard_unreadable: 'The dashboard has errors in the current version of the language. Upgrade the job.',
  widget_has_no_data: 'A widget of type `<type>` has no rows',
  widget_no_drill: 'The widget has no `drill`',
  widget_has_no_options: 'This widget has no options here',
  widget_not_a_button: 'Only a `run_button` starts the job',
  side_missing: 'Say which side or field the options are for: <sides>',
  widget_connector_unbound: 'The job has no connector for `<connector>`. Upgrade the job.',
  widget_task_unknown: 'The job has no task `<task>`. Upgrade the job.',
  widget_data_archived: 'The connector of this widget is archived',
  widget_expression_fails: 'The value of `:<name>` can’t be made: <problem>',
  widget_timed_out: 'The query took too long. Narrow the filters, or raise its `timeout`.',
  widget_unavailable: 'This widget can’t be loaded right now. Try again later.',
  options_lack_column: 'The data `<data>` of the options must have the columns `value` and `label`; it has <columns>.',
  option_cursor_invalid: 'The cursor is damaged, or belongs to another list. Start with the first page.',
  form_field_required: 'The field is required',
  form_field_unknown: 'The form has no field `<name>`',
  form_unknown: 'The dashboard has no form `<name>`',
  field_mapping_unknown: 'The dashboard has no field mapping `<name>`',
  label_side_unknown:
    'The dashboard has no options `<name>`. Use the id of a form and the key of a field, such as `setup/region`.',
  mapping_unknown: 'The button gives no field mapping `<name>`',
  mapping_target_missing: 'The target `<target>` must be mapped',
  dashboard_state_large:
    'must be at most <most> KiB as JSON; it has <size> KiB. Clear fields or mappings that you don’t need.',
  share_locked: 'The filters of this link are locked',
  origin_port: 'The port of `<origin>` must be from 1 to 65535',
  origin_host: '`<origin>` has no valid host name',
  origin_wildcard:
    '`<origin>` would allow anyone’s site. Write your own domain after `*.`, such as https://*.intranet.example.',
  share_job_archived: 'The job is archived. Restore it to share its dashboards.',
} as const
