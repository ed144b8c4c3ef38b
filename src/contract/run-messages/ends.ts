/** How runs and job runs end, as the server says it. */
export const ends = {
  executor_stopped: 'The executor was stopped before the run had finished. Retry the run.',
  no_reason_given: 'The executor gave no reason.',
  not_retried_same_end: 'The previous attempt ended in the same way, so the run is not retried.',
  rejects_lost:
    'The run rejected <rejected> rows, but <arrived> reached the server. The rows that it wrote are committed. Check the log of the run and of its executor before you run the task again.',
  timeout_not_stopped: 'The run took longer than its time limit, and executor <executor> did not stop it.',
  executor_lost: 'Executor <executor> stopped responding. Retry the run when it is back.',
  executor_left: 'Executor <executor> ended while the run was in progress. Retry the run.',
  lost_while_committing:
    'Executor <executor> was lost while the target was being committed, so it is not known whether the rows were written.',
  retry_same_result: 'Retry the run: the same rows again give the same result.',
  committed_stays: 'The rows that the run wrote are committed and stay: it is not retried.',
  plan_not_made: 'The run could not be prepared. Check the server’s log.',
  stopped_after_commit: 'It was stopped after its rows were committed: they stay.',
  items_failed: '<failed> of <total> items failed.',
  items_failed_first: '<failed> of <total> items failed. The first: <first>',
  job_run_cannot_continue: 'The job run can’t continue: <cause>',
  job_run_server_error: 'The job run could not continue because of an error of the server. Check its log.',
  job_run_timed_out: 'The job run took longer than its time limit.',
  task_failed_stops: 'Task <task> failed, which stops the job run.',
  task_failed_stops_with: 'Task <task> failed, which stops the job run: <cause>',
  task_cancelled_stops: 'Task <task> was canceled, which stops the job run.',
  more_failed: '<count> more failed or were canceled.',
  gate_refused: 'Gate <task> was rejected.',
  gate_refused_with: 'Gate <task> was rejected: <cause>',
  task_failed: 'Task <task> failed.',
  task_failed_with: 'Task <task> failed: <cause>',
  task_cancelled: 'Task <task> was canceled.',
  task_cancelled_with: 'Task <task> was canceled: <cause>',
  outcome_unresolved:
    'Run <runs> may have written rows that this run would write again: the outcome is unknown. Check the target for those rows, then answer under Saved state of task <task>, or resolve state <state> with the REST API.',
} as const
