/** Hands an address to the browser as a file to keep. */
export function downloadFrom(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}

/** Hands bytes to the browser as a file of this name. */
export function downloadBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  downloadFrom(url, name)
  // The browser reads the blob after this turn; a minute is more than it needs.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Hands text to the browser as a file of this name. */
export const downloadText = (name: string, text: string, type = 'text/yaml') =>
  downloadBlob(name, new Blob([text], { type }))

/** A name without its ending; what file systems refuse becomes `_`. */
export const fileStem = (name: string): string =>
  name
    // oxlint-disable-next-line no-control-regex -- file systems refuse them
    .replace(/[\u0000-\u001f<>:"/\\|?*]+/g, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 120)
