export const welcome = {
  title: 'Your account is ready, {{name}}',
  text: 'It has full access. Create accounts for others under Users.',
  data: 'Data folder',
  dataText: 'Accounts, tasks, runs, and logs are stored only in this folder.',
  show: 'Show in file manager',
  copy: 'Copy path',
  start: 'Get started',
  demo: 'Create demo workspace',
  demoText:
    'The demo workspace adds a SQLite file with sample orders, three tasks, and a job that runs them every morning. The job runs once right away.',
  empty: 'Start empty',
  steps: {
    connector: 'Connector to {{path}}',
    tasks: 'Three tasks',
    job: 'Job template, job, and trigger',
    run: 'First job run',
  },
  done: 'Demo workspace created. Its job is running.',
  again: 'Try again',
  state: { done: 'Done', doing: 'In progress', waiting: 'Not started', failed: 'Failed' },
  firstSteps: 'Or explore a demo workspace',
} as const
