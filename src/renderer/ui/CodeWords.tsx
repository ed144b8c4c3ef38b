import { Fragment } from 'react'
import { said } from '../i18n/said.ts'

/** A sentence in which `marked` words are names: of folders, keys, values. What the server says is said in the language of the window. */
export function CodeWords({ text }: { text: string }) {
  const parts = said(text).split(/`([^`]+)`/)
  // Every second part stood between the marks; a text and its parts never change places.
  // oxlint-disable-next-line react/no-array-index-key
  return parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : <Fragment key={at}>{part}</Fragment>))
}
