export const desktop = {
  browser: {
    title: 'These settings belong to the desktop app',
    text: 'Running in the background, notifications, and updates are set in the Headgate desktop app on each computer.',
    open: 'Open desktop app',
    install: 'Install desktop app',
  },
  saved: 'Switches are saved immediately, for this computer only.',
  groups: { background: 'Background', notifications: 'Notifications', updates: 'Updates' },
  run_in_background: {
    title: 'Keep running in the background',
    text: 'Schedules and runs continue after you close the last window.',
    mac: 'On macOS, apps keep running until you quit them.',
  },
  noTray:
    'This desktop doesn’t show tray icons. Start Headgate again to reopen the window, or install an AppIndicator extension on GNOME.',
  open_at_login: {
    title: 'Start at login',
    text: 'Starts Headgate in the tray without a window.',
    cannot: 'Only an installed app can start at login.',
  },
  keep_awake: {
    title: 'Keep the computer awake during runs',
    text: 'Prevents automatic sleep, but not sleep when you close the lid.',
  },
  notify_failures: {
    title: 'Notify about failed runs',
    text: 'Shows a notification for failed runs and job runs while no window is focused.',
  },
  update_feed_url: {
    title: 'Update URL',
    text: 'HTTPS address to download new versions from. Leave empty to disable updates.',
  },
  update: {
    notInstalled: 'Headgate {{version}}. Only an app installed from a package can update itself.',
    off: 'Headgate {{version}}. Updates are disabled because no update URL is set.',
    current: 'Headgate {{version}} is up to date.',
    lastChecked: 'Last checked:',
    checking: 'Checking for updates…',
    downloading: 'Downloading Headgate {{version}}…',
    progress: 'Download progress',
    ready: 'Headgate {{version}} is ready to install. Restart to update.',
    failed: 'Update check failed: {{message}}',
    check: 'Check for updates',
    install: 'Restart and update',
  },
} as const
