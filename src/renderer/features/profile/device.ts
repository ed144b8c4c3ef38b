/** What a session runs on, read from the text that browsers send. Pure. */

export interface Device {
  browser: string | null
  system: string | null
}

/** The first that fits wins: each of these also calls itself what stands below it. */
const browsers: readonly [RegExp, string][] = [
  [/\bElectron\//, 'Headgate'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

const firstIn = (table: readonly [RegExp, string][], text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? null

export function deviceOf(userAgent: string | null): Device {
  if (!userAgent) return { browser: null, system: null }
  // A script names itself first: `curl/8.5.0`, `node`.
  const script = /^([\w.-]{1,40})/.exec(userAgent)?.[1] ?? null
  const browser = firstIn(browsers, userAgent) ?? (script === 'Mozilla' ? null : script)
  return { browser, system: firstIn(systems, userAgent) }
}
