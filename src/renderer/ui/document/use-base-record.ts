import { useEffect, useState } from 'react'
import type { DocumentRecord } from './document.types.ts'
import type { DocumentText } from './use-document-text.ts'

export interface BaseRecord<T extends DocumentRecord> {
  base: T
  /** Version that somebody saved while this text was being written. */
  newer: number | null
  take(saved: T): void
}

/** The record that the text is based on. What others save meanwhile is kept apart until the user has looked at it. */
export function useBaseRecord<T extends DocumentRecord>(
  record: T,
  text: DocumentText,
  merging: boolean,
): BaseRecord<T> {
  const [base, setBase] = useState(record)
  const { dirty, reset } = text
  const newer = record.current_version > base.current_version && record.yaml_content !== text.saved
  useEffect(() => {
    // While two versions are being merged the text may pass through one that is saved; it is still the user's own.
    if (record === base || merging) return
    if (!newer) setBase(record)
    else if (!dirty) {
      setBase(record)
      reset(record.yaml_content, record.current_version)
    }
  }, [record, base, newer, dirty, reset, merging])
  const take = (saved: T) => {
    setBase(saved)
    reset(saved.yaml_content, saved.current_version)
  }
  return { base, newer: newer && dirty ? record.current_version : null, take }
}
