import { Fragment } from 'react'

/** A sentence in which `marked` words are names: of folders, keys, values. */
export function CodeWords({ text }: { text: string }) {
  const parts = text.split(/`([^`]+)`/)
  // Every second part stood between the marks; a text and its parts never change places.
  // oxlint-disable-next-line react/no-array-index-key
  return parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : <Fragment key={at}>{part}</Fragment>))
}
