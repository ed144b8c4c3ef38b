/** The screens that README and docs show, light and dark, and the names under which they find them. */
export const shown: Readonly<Record<string, string>> = {
  home: 'home',
  task: 'task',
  'run-failed': 'run',
  'job-run-failed': 'job-run',
  'triggers-dialog-new': 'trigger-new',
  'job-run-dialog-edit': 'rerun-edited',
  audit: 'audit',
  'import-dry-run': 'import',
  'settings-backups': 'backups',
  'settings-configuration': 'configuration',
}
