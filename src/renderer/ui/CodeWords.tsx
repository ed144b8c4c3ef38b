import { type ComponentType, Fragment } from 'react'

interface CodeWordsProps {
  text: string
  /** What a name is shown by, where it is more than read. */
  name?: ComponentType<{ text: string }>
}

const Plain = ({ text }: { text: string }) => <code>{text}</code>

/** A sentence in which `marked` words are names: of folders, keys, values. */
export function CodeWords({ text, name: Name = Plain }: CodeWordsProps) {
  const parts = text.split(/`([^`]+)`/)
  // Every second part stood between the marks; a text and its parts never change places.
  // oxlint-disable-next-line react/no-array-index-key
  return parts.map((part, at) => (at % 2 === 1 ? <Name key={at} text={part} /> : <Fragment key={at}>{part}</Fragment>))
}
