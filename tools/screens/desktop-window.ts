// The desktop's own window as the pictures have it: Chromium with the bridge that the app's preload would put there. It opens no
// file and shows nothing; it answers as an installed app does that looked for updates and found none.
import type { Page } from 'playwright'

/** From now on this page takes itself for the desktop's own window. */
export const asDesktop = (page: Page) =>
  page.addInitScript(() => {
    const settings = {
      open_at_login: true,
      run_in_background: true,
      keep_awake: false,
      notify_failures: true,
      update_feed_url: 'https://downloads.example.org/headgate/',
    }
    const abilities = { tray: true, open_at_login: true, updates: true }
    const update = { state: 'current', checked_at: new Date(Date.now() - 7_200_000).toISOString() }
    const nothing = async () => undefined
    Object.defineProperty(window, 'headgate', {
      value: {
        platform: 'linux',
        versions: { app: '0.1.0', electron: '43', chrome: '140', node: '24' },
        launchToken: () => Promise.reject(new Error('The pictures sign in by a session of their own.')),
        showItemInFolder: nothing,
        openFile: async () => [],
        saveFile: async () => null,
        notify: nothing,
        setTheme: nothing,
        setMenu: nothing,
        pathOfFile: () => '',
        settings: async () => ({ settings, abilities }),
        setSettings: async (changes: object) => Object.assign(settings, changes),
        update: async () => update,
        checkForUpdate: async () => update,
        installUpdate: nothing,
        onCommand: () => () => undefined,
      },
    })
  })
