/** Tasks and runs. */
export const tasks = {
  task_has_errors: 'The task has errors',
  task_archived: 'Task <name> is archived: restore it to run it.',
  task_version_has_errors: 'This version of the task has errors. Open it, fix them and save it.',
  task_version_gone: 'Version <version> of task <name> is gone.',
  task_reads_nothing: 'The task reads from no connector',
  slot_takes_no: 'Slot <slots> takes no <type> connector',
  run_ended: 'Run <id> has ended already: it is <status>.',
  run_not_ended: 'Run <id> is still <status>: cancel it or wait for its end.',
  run_of_job_run: 'Run <id> belongs to job run <run>: resume or rerun the job run.',
  run_removed: 'Run <id> was removed: retention.runs_days and retention.runs_max say how long runs are kept.',
  job_run_removed: 'Job run <id> was removed: retention.runs_days and retention.runs_max say how long runs are kept.',
  log_lines_missing:
    'Lines <from> to <to> of the log of run <id> are missing: retention.logs_days and retention.logs_mb say how long logs are kept.',
  attempt_stale: 'Attempt <attempt> of run <id> is not yours any more: it was given up or has ended. Stop its work.',
  batch_missing: 'A batch is missing: send batch <expected> first.',
  batch_expected: 'expected <expected>',
} as const
