// Sets scheme, contrast and motion before the first paint; theme.ts and looks.ts own the same keys afterwards.
;(() => {
  const root = document.documentElement
  const wants = (query) => matchMedia(`(${query})`).matches
  const chosen = (name) => {
    try {
      return localStorage.getItem(`headgate.${name}`) ?? 'auto'
    } catch {
      // Storage may be forbidden in a private window: the system's wishes stand.
      return 'auto'
    }
  }
  const [scheme, contrast, motion] = ['color-scheme', 'contrast', 'motion'].map(chosen)
  const dark = scheme === 'dark' || (scheme === 'auto' && wants('prefers-color-scheme: dark'))
  const wished = contrast === 'auto' ? wants('prefers-contrast: more') : contrast === 'high'
  const high = wished || wants('forced-colors: active')
  const still = motion === 'auto' ? wants('prefers-reduced-motion: reduce') : motion === 'reduced'
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  root.setAttribute('data-contrast', high ? 'high' : 'standard')
  root.setAttribute('data-motion', still ? 'reduced' : 'full')
  // The ground of the theme (`surface` of the tokens) until its own style sheet is there.
  root.style.backgroundColor = dark ? (high ? '#000000' : '#15191d') : '#ffffff'
})()
