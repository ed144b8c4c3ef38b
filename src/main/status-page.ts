import type { RestoreOffer, ServerState } from './server-process.ts'

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
  const { title, text, details, retry, restore } = words(state)
  const buttons = [
    restore && `<button data-action="restore" autofocus>Restore the backup of ${escapeHtml(timeOf(restore))}</button>`,
    retry && `<button data-action="retry"${restore ? '' : ' autofocus'}>Try again</button>`,
    restore && '<button data-action="show-data">Show the data folder</button>',
    SHOW_LOG,
  ]
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
    const { message: text, details, restore } = state
    return { title: 'Headgate could not start', text, details, retry: true, restore }
  }
  const text = 'The server opens its data folder.'
  return { title: 'Headgate is starting …', text, details: [], retry: false, restore: undefined }
}

/** In the words and the time zone of this computer. */
function timeOf({ created_at }: RestoreOffer): string {
  const at = new Date(created_at)
  return Number.isNaN(at.getTime())
    ? created_at
    : at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

export const STATUS_URL_PREFIX = 'data:text/html;charset=utf-8,'

export function statusUrl(state: Exclude<ServerState, { name: 'ready' }>): string {
  return STATUS_URL_PREFIX + encodeURIComponent(statusPage(state))
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
