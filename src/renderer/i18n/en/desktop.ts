export const desktop = {
  browser: {
    title: 'These are settings of the desktop app',
    text: 'A page in a browser has no tray, no start with the login and no updates. Open this page in Headgate’s own window.',
  },
  groups: { background: 'In the background', news: 'Notifications', updates: 'Updates' },
  run_in_background: {
    title: 'Go on when the last window is closed',
    text: 'Schedules fire and runs go on; the icon in the tray brings the window back. Off: closing the last window quits.',
    mac: 'On the Mac an app always goes on until it is quit.',
  },
  noTray:
    'This desktop shows no icons of apps in the background. Starting Headgate again brings the window back. On GNOME an extension for AppIndicators shows it.',
  open_at_login: {
    title: 'Start with the login',
    text: 'Headgate starts in the tray, without a window.',
    cannot: 'Only an installed app can be among the login items of this system.',
  },
  keep_awake: {
    title: 'Keep the machine awake while something runs',
    text: 'It does not fall asleep by itself before the last run has ended. Closing the lid still lets it sleep; no run is lost by that.',
  },
  notify_failures: {
    title: 'Tell of failed runs',
    text: 'A notification for each run or job run that fails while no window has the focus. Many at once become one.',
  },
  update_feed_url: {
    title: 'Address of the updates',
    text: 'An https folder with the files of new versions. Empty: nobody is asked.',
  },
  update: {
    notInstalled: 'Headgate {{version}}. Only an app that was installed from a package can update itself.',
    off: 'Headgate {{version}}. No address is set: nobody is asked for updates.',
    current: 'Headgate {{version}} is the newest. Looked for updates:',
    neverChecked: 'not yet',
    checking: 'Looking for updates …',
    downloading: 'Headgate {{version}} is being downloaded.',
    progress: 'Download',
    ready: 'Headgate {{version}} is ready. It starts when the app starts the next time.',
    failed: 'Looking for updates failed: {{message}}',
    check: 'Check now',
    install: 'Restart and update',
  },
} as const
