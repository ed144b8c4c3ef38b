export const welcome = {
  title: 'Your account is ready, {{name}}',
  text: 'It administers everything here. Others get accounts of their own under Users.',
  data: 'Where your data is kept',
  dataText: 'Accounts, tasks, runs and their logs are in this folder, and nowhere else.',
  show: 'Show in the file manager',
  copy: 'Copy the path',
  start: 'How to begin',
  demo: 'Make a demo workspace',
  demoText:
    'A SQLite file with made-up orders, three tasks, and a job that runs them every morning. It runs once right away, so that there is something to look at.',
  empty: 'Start empty',
  steps: {
    connector: 'Connector to {{path}}',
    tasks: 'Three tasks',
    job: 'Job template, job and trigger',
    run: 'The first run of the job',
  },
  done: 'The demo workspace is made: its job runs now.',
  again: 'Try again',
  state: { done: 'Done', doing: 'Under way', waiting: 'Still to come', failed: 'Failed' },
  firstSteps: 'Or look at something that runs already',
} as const
