import type { ServerState } from './server-process.ts'

const STYLE = `
  :root { color-scheme: light dark; font: 13px/1.5 system-ui, sans-serif }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText }
  main { max-width: 34rem; padding: 24px }
  h1 { font-size: 16px; font-weight: 600; margin: 0 0 8px }
  p { margin: 0 0 12px; overflow-wrap: anywhere }
  pre { font: 12px/1.4 ui-monospace, monospace; margin: 0 0 12px; padding: 8px; overflow: auto; max-height: 40vh;
    border: 1px solid color-mix(in srgb, CanvasText 20%, Canvas) }
  button { font: inherit; padding: 4px 12px; margin-right: 8px }`

/** The page that a window shows while the server starts or when it cannot: no script, nothing from elsewhere. */
export function statusPage(state: Exclude<ServerState, { name: 'ready' }>): string {
  const { title, text, details, retry } = words(state)
  const buttons = [retry && '<button data-action="retry" autofocus>Try again</button>', SHOW_LOG]
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Headgate</title>',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<style>${STYLE}</style><main role="${retry ? 'alert' : 'status'}"><h1>${escapeHtml(title)}</h1>`,
    `<p>${escapeHtml(text)}</p>`,
    details.length > 0 && `<pre>${escapeHtml(details.join('\n'))}</pre>`,
    ...buttons,
    '</main></html>',
  ]
    .filter(Boolean)
    .join('')
}

const SHOW_LOG = '<button data-action="show-log">Show log</button>'

function words(state: Exclude<ServerState, { name: 'ready' }>) {
  if (state.name === 'failed') {
    return { title: 'Headgate could not start', text: state.message, details: state.details, retry: true }
  }
  return { title: 'Headgate is starting …', text: 'The server opens its data folder.', details: [], retry: false }
}

export const STATUS_URL_PREFIX = 'data:text/html;charset=utf-8,'

export function statusUrl(state: Exclude<ServerState, { name: 'ready' }>): string {
  return STATUS_URL_PREFIX + encodeURIComponent(statusPage(state))
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
