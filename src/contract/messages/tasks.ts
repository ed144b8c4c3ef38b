/** Tasks and runs. */
export const tasks = {
  task_has_errors: 'The task has errors',
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
  not_a_reject_of_run: 'isn’t the id of a kept rejected row of run #<run>',
} as const
