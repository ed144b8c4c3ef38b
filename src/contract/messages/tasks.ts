/** Tasks and runs. */
export const tasks = {
  task_has_errors: 'The task has errors',
  readings_under_way: 'The server is still reading other long YAML. Try again in a few seconds.',
  task_archived: 'Task <name> is archived. Restore it to run it.',
  task_version_has_errors: 'This version of the task has errors. Open it, fix them and save it.',
  task_version_gone: 'Version <version> of task <name> no longer exists.',
  task_reads_nothing: 'The task doesn’t read from a connector',
  slot_takes_no: 'Slot <slots> doesn’t accept a <type> connector',
  run_ended: 'Run #<id> has already ended: it is <status>.',
  run_not_ended: 'Run #<id> is still <status>. Cancel it or wait until it ends.',
  run_of_job_run: 'Run #<id> belongs to job run #<run>. Resume or rerun the job run.',
  run_removed: 'Run #<id> was removed. retention.runs_days and retention.runs_max define how long runs are kept.',
  job_run_removed:
    'Job run #<id> was removed. retention.runs_days and retention.runs_max define how long runs are kept.',
  log_lines_missing:
    'Lines <from> to <to> of the log of run #<id> are missing. retention.logs_days and retention.logs_mb define how long logs are kept.',
  attempt_stale: 'Attempt <attempt> of run #<id> no longer belongs to you: it was lost or has ended. Stop its work.',
  batch_missing: 'A batch is missing. Send batch <expected> first.',
  batch_expected: 'expected <expected>',
  rerun_not_completed:
    'Run #<id> is <status>. Only rejected rows of a run with the status completed can be rerun: with any other status, rows of the run may be missing in the target. Rerun the task.',
  rerun_replaces:
    'The target uses `mode: <mode>`, so a rerun would remove rows that run #<id> wrote. Fix the data in the source, then run the task.',
  rerun_writes_file:
    'The target is a file that each run replaces, so a rerun would remove the rows that run #<id> wrote. Fix the data in the source, then run the task.',
  rerun_needs_all_rows:
    'Step `<step>` (`<kind>`) needs all rows, and a rerun reads only rejected ones. Fix the data in the source, then run the task.',
  rerun_expects_over_rows:
    'Expectation `<name>` of step `<step>` needs all rows, and a rerun reads only rejected ones. Fix the data in the source, then run the task.',
  rerun_sql_over_rows:
    'Step `<step>` uses a window function or a subquery, which may need all rows, and a rerun reads only rejected ones. Fix the data in the source, then run the task.',
  rerun_before_hooks:
    'The task has `before` hooks, which could clear what run #<id> wrote. Fix the data in the source, then run the task.',
  rerun_column_type:
    'Values of column `<column>` can’t be restored exactly from rejected rows: its type is <type>. Fix the data in the source, then run the task.',
  rerun_columns_unknown:
    'The columns that entered step `<step>` are unknown. Fix the data in the source, then run the task.',
  rerun_of_removed:
    'The rows that run #<id> read are no longer kept. retention.logs_days defines how long they are kept.',
  rejects_rerun_already:
    '<count:#> of these rows were already rerun, the first one by run #<run>. Nothing was started. Reload the rejects and skip these rows.',
  reject_unreadable: 'row <id> can’t be rerun: it is cut, or shown in another form than it was read in',
  reject_starts_elsewhere: 'row <id> starts at `<other>`, and the first row at `<step>`. Start one run for each',
  reject_twice: 'row <id> is listed twice',
  reject_has_line: 'row <id> is a line of a file: send `text` instead of `values`',
  reject_has_values: 'row <id> has values: send `values` instead of `text`',
  reject_line_unclear: 'must be exactly one line of the file; check its quotes and line breaks',
  reject_line_fields: 'has <found> values, the file has <expected> columns',
  reject_line_damaged: 'contains `�` in place of characters that couldn’t be read. Replace them',
  reject_line_no_object: 'must be one JSON object in one line',
  reject_line_key: 'has a key `<key>` that the file didn’t have',
  reject_no_column: 'no column `<column>` entered the step',
  rerun_too_large: 'The rows have <bytes:#> bytes; at most <most:#> can be rerun at a time. Start several runs.',
  value_not_of_type: 'Column `<column>`: `<value>` isn’t a valid <type>',
  column_not_editable: 'Column `<column>` has type <type>, which can’t be edited here',
  not_a_reject_of_run: 'isn’t the id of a kept rejected row of run #<run>',
} as const
