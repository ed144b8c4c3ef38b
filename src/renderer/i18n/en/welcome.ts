export const welcome = {
  title: 'Your account is ready, {{name}}',
  text: 'It has full access. Create accounts for others under Users.',
  data: 'Data folder',
  dataText: 'Accounts, tasks, runs, and logs are stored only in this folder.',
  show: 'Show in file manager',
  copy: 'Copy path',
  start: 'Get started',
  demo: 'Add demo data',
  demoText:
    'The demo data adds a SQLite file with sample orders, three tasks, and a job to this workspace. The job runs every morning, and once right away.',
  empty: 'Start empty',
  steps: {
    connector: 'Connector to {{path}}',
    tasks: 'Three tasks',
    job: 'Job template, job, and trigger',
    run: 'First job run',
  },
  done: 'Demo data added. Its job is running.',
  again: 'Try again',
  state: { done: 'Done', doing: 'In progress', waiting: 'Not started', failed: 'Failed' },
  firstSteps: 'Or explore demo data',
} as const
