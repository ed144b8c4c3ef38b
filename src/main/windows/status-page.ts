import type { RestoreOffer, ServerState } from '../processes/server-process.ts'
import { languageOf, words, type Words } from '../words.ts'

/** Why a window shows no page of the app. */
export type Status =
  | Exclude<ServerState, { name: 'ready' }>
  /** The server is well; this window's page is not. */
  | { name: 'crashed'; times: number; reason: string }

const STYLE = `
  :root { color-scheme: light dark; font: 13px/1.5 system-ui, sans-serif; --muted: color-mix(in srgb, CanvasText 64%, var(--paper));
    --line: color-mix(in srgb, CanvasText 16%, var(--paper)); --soft: color-mix(in srgb, CanvasText 4%, var(--paper)) }
  @media (prefers-color-scheme: dark) { :root { --accent: #4c8dff; --on-accent: #0b1220; --paper: #15191d } }
  @media (prefers-color-scheme: light) { :root { --accent: #1c64d9; --on-accent: #fff; --paper: #fff } }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper); color: CanvasText }
  main { box-sizing: border-box; width: min(40rem, 100vw); padding: 24px }
  h1 { font-size: 16px; font-weight: 600; margin: 0 0 8px }
  p { margin: 0 0 16px; overflow-wrap: anywhere; color: var(--muted) }
  pre { font: 12px/1.5 ui-monospace, monospace; margin: 0 0 16px; padding: 8px 12px; overflow: auto; max-height: 40vh;
    white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); border: 1px solid var(--line); border-radius: 4px }
  div { display: flex; flex-wrap: wrap; gap: 8px }
  button { font: inherit; height: 28px; padding: 0 12px; color: inherit; background: transparent; border: 1px solid var(--line);
    border-radius: 4px; cursor: default }
  button:hover { background: var(--soft) }
  button.main { font-weight: 600; color: var(--on-accent); background: var(--accent); border-color: var(--accent) }
  button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
  @media (forced-colors: active) { button.main { border-color: ButtonText } }`

/** The page that a window shows while the server starts or when it cannot: no script, nothing from elsewhere. */
export function statusPage(status: Status, language: string): string {
  const texts = words(language)
  const { title, text, details, failed, restore, accept } = describe(status, texts)
  const when = restore && timeOf(restore, language)
  const buttons = [
    when !== undefined && button('restore', texts.restoreBackup(when), true),
    accept !== undefined && button('accept-loss', texts.acceptLoss),
    failed && button('retry', texts.tryAgain, !restore),
    (restore || accept !== undefined) && button('show-data', texts.showDataFolder),
    button('show-log', texts.showLog),
  ]
  return [
    `<!doctype html><html lang="${languageOf(language)}"><meta charset="utf-8"><title>Headgate</title>`,
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<style>${STYLE}</style><main role="${failed ? 'alert' : 'status'}"><h1>${escapeHtml(title)}</h1>`,
    `<p>${escapeHtml(text)}</p>`,
    details.length > 0 && `<pre tabindex="0">${escapeHtml(details.join('\n'))}</pre>`,
    '<div>',
    ...buttons,
    '</div></main></html>',
  ]
    .filter(Boolean)
    .join('')
}

/** The main one gets the focus. */
function button(action: string, label: string, isMain = false): string {
  return `<button data-action="${action}"${isMain ? ' class="main" autofocus' : ''}>${escapeHtml(label)}</button>`
}

function describe(status: Status, texts: Words) {
  const nothing = { details: [], restore: undefined, accept: undefined }
  if (status.name === 'starting') return { ...nothing, title: texts.starting, text: texts.startingText, failed: false }
  if (status.name === 'crashed') {
    const text = texts.pageCrashedText(status.times, status.reason)
    return { ...nothing, title: texts.pageCrashed, text, failed: true }
  }
  const { message: text, details, restore, accept } = status
  return { title: texts.failed, text, details, failed: true, restore, accept }
}

/** In the words and the time zone of this computer. */
function timeOf({ created_at }: RestoreOffer, language: string): string {
  const at = new Date(created_at)
  return Number.isNaN(at.getTime())
    ? created_at
    : at.toLocaleString(language || undefined, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
}

export const STATUS_URL_PREFIX = 'data:text/html;charset=utf-8,'

export function statusUrl(status: Status, language: string): string {
  return STATUS_URL_PREFIX + encodeURIComponent(statusPage(status, language))
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
