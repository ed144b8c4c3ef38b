/** How an app was installed, as far as it matters to replacing it. */
export type PackageKind = 'appimage' | 'system' | 'nsis' | 'mac'

export interface Installation {
  packaged: boolean
  platform: NodeJS.Platform
  /** What the AppImage's own start says: where its file lies. */
  appImage: string | undefined
  /** What a package of the system (.deb) leaves beside the app. */
  packageType: string | null
}

/** Null for one that cannot be updated by itself: started from sources, or unpacked by hand. */
export function packageKind({ packaged, platform, appImage, packageType }: Installation): PackageKind | null {
  if (!packaged) return null
  if (platform === 'win32') return 'nsis'
  if (platform === 'darwin') return 'mac'
  if (appImage) return 'appimage'
  return packageType === 'deb' ? 'system' : null
}

/**
 * Whether a version that is ready is installed when the app ends anyway. A system's package asks for a password, which nobody
 * expects when he quits; the Mac's own updater does it without being told.
 */
export function installsOnQuit(kind: PackageKind): boolean {
  return kind === 'appimage' || kind === 'nsis'
}

/** https, so that nobody on the way changes what is read; http only to this machine, where nobody is on the way. */
export function isFeedAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
}

/** The files of an update that lie elsewhere: a feed that names another server would have it asked. */
export function strangeFiles(feed: string, files: readonly { url: string }[]): string[] {
  const base = new URL(feed.endsWith('/') ? feed : `${feed}/`)
  return files
    .map(({ url }) => url)
    .filter((url) => !URL.canParse(url, base) || new URL(url, base).origin !== base.origin)
}

const MINUTE = 60_000
export const CHECK_EVERY = 6 * 60 * MINUTE

/** Until the next look, after so many that failed in a row. */
export function nextLook(failures: number): number {
  return failures === 0 ? CHECK_EVERY : Math.min(CHECK_EVERY, 5 * MINUTE * 4 ** (failures - 1))
}

/** What went wrong, as far as the user can do something about it. */
export type UpdateFailure = 'checksum' | 'no-feed' | 'strange' | 'disk' | 'away' | 'other'

export function failureOf(error: unknown): UpdateFailure {
  // Any object may be asked for properties that it may not have.
  const { code, statusCode, message } = (error ?? {}) as { code?: unknown; statusCode?: unknown; message?: unknown }
  const text = String(message)
  if (code === 'ERR_CHECKSUM_MISMATCH' || /checksum mismatch/i.test(text)) return 'checksum'
  if (code === 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND' || statusCode === 404) return 'no-feed'
  if (code === STRANGE_FEED) return 'strange'
  if (code === 'ENOSPC' || code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return 'disk'
  if (/net::ERR_|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|timed? ?out|socket hang up/i.test(`${String(code)} ${text}`))
    return 'away'
  return 'other'
}

export const STRANGE_FEED = 'HEADGATE_STRANGE_FEED'
