/** The pictures that README and docs show: screen and look, and the name under which they find it. */
export const shown: Readonly<Record<string, string>> = {
  'home-light': 'home-light.png',
  'task-light': 'task-light.png',
  'run-failed-dark': 'run-dark.png',
  'job-run-failed-dark': 'job-run-dark.png',
  'audit-light': 'audit-light.png',
  'settings-backups-dark': 'backups-dark.png',
  'settings-branding-light': 'branding-light.png',
  'settings-configuration-light': 'configuration-light.png',
  'import-light': 'import-light.png',
}
