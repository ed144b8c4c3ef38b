/** The screens that README and docs show, light and dark, and the names under which they find them. */
export const shown: Readonly<Record<string, string>> = {
  home: 'home',
  task: 'task',
  'run-failed': 'run',
  'job-run-failed': 'job-run',
  'incoming-rows': 'drop-file',
  'triggers-dialog-new': 'trigger-new',
  'job-run-dialog-edit': 'rerun-edited',
  audit: 'audit',
  'settings-backups': 'backups',
  'settings-branding': 'branding',
  'settings-configuration': 'configuration',
}
