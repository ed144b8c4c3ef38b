// Sets the colour scheme before the first paint; theme.ts owns the same key afterwards.
try {
  var chosen = localStorage.getItem('headgate.color-scheme') || 'auto'
  var dark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
} catch {
  // Storage may be forbidden in a private window: the light scheme stands.
}
