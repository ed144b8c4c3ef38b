/** Hands text to the browser as a file of this name. */
export function downloadText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/yaml' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the blob after this turn; a minute is more than it needs.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
