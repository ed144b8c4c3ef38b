import { useQueryClient } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createAiReference } from '../../../contract/ai-references.ts'
import { ApiFailure, call } from '../../api/client.ts'
import { readReference } from './reference-file.ts'

export interface FailedFile {
  name: string
  reason: string
}

/** Makes a reference of each file, one after the other, and keeps those that could not be made. */
export function useDroppedFiles() {
  const { t } = useTranslation('aiReferences')
  const client = useQueryClient()
  const [failed, setFailed] = useState<readonly FailedFile[]>([])
  const [busy, setBusy] = useState(false)

  async function one(file: File): Promise<FailedFile | null> {
    try {
      const read = await readReference(file)
      if (typeof read === 'string') return { name: file.name, reason: t(`drop.${read}`) }
      await call(createAiReference, { body: read })
      return null
    } catch (error) {
      const [detail] = error instanceof ApiFailure ? error.details : []
      return { name: file.name, reason: detail?.message ?? (error instanceof Error ? error.message : String(error)) }
    }
  }

  async function add(files: readonly File[]): Promise<void> {
    setBusy(true)
    const found: FailedFile[] = []
    for (const file of files) {
      // One after the other: two of one name are told apart.
      const failure = await one(file)
      if (failure) found.push(failure)
    }
    setFailed(found)
    setBusy(false)
    const count = files.length - found.length
    if (count > 0) notifications.show({ message: t('drop.created', { count }) })
    await client.invalidateQueries({ queryKey: ['listAiReferences'] })
  }
  return { add, failed, busy, forget: () => setFailed([]) }
}
