/**
 * Pages of Chromium's own that it makes for each window, in a process each, for an address bar that nobody sees here: they take as
 * long as the pages of a short spec.
 */
const ownPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** What Playwright itself turns off. Of several such switches Chromium takes the last alone, so they are said again. */
const offByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

export const withoutOwnPages = `--disable-features=${[...offByPlaywright, ...ownPages].join(',')}`
