import { useCallback, useEffect, useRef, useState } from 'react'
import { type UploadedFile, deleteUpload, uploadFile, uploadType } from '../../../contract/uploads.ts'
import { ApiFailure, call, sendFile } from '../../api/client.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useSession } from '../../api/session.ts'
import type { IncomingFile } from './incoming.store.ts'

interface UploadState {
  phase: 'idle' | 'sending' | 'done' | 'failed' | 'stopped'
  /** Bytes, of all files. */
  sent: number
  total: number
  files: readonly UploadedFile[] | null
  error: ApiFailure | null
}

const idle: UploadState = { phase: 'idle', sent: 0, total: 0, files: null, error: null }

/** A file that a task has come to read stays: the server refuses. One that can't be deleted is on the list of uploads. */
const discard = ({ name }: UploadedFile) => void call(deleteUpload, { params: { name } }).catch(() => undefined)

/**
 * Files that a browser gives are uploaded immediately; naming their path stops it. Unless a draft keeps them, they are
 * deleted when the dialog closes.
 */
export function useUpload(files: readonly IncomingFile[]) {
  const { can } = useSession()
  const client = useQueryClient()
  const may = can('uploadFile') && files.every(({ path, blob }) => path === null && blob !== null)
  const [byPath, setByPath] = useState(false)
  const [state, setState] = useState(idle)
  const going = useRef<AbortController | null>(null)
  const isOn = may && !byPath

  const start = useCallback(async () => {
    const own = new AbortController()
    going.current?.abort()
    going.current = own
    const total = files.reduce((sum, { size }) => sum + size, 0)
    const show = (more: Partial<UploadState>) => {
      if (going.current === own) setState((before) => ({ ...before, ...more }))
    }
    setState({ ...idle, phase: 'sending', total })
    const done: UploadedFile[] = []
    const discardAll = () => done.splice(0).forEach(discard)
    own.signal.addEventListener('abort', discardAll, { once: true })
    try {
      let before = 0
      for (const { name, blob, size } of files) {
        const at = before
        // One after the other: all of them share the line.
        const file = await sendFile(uploadFile, {
          query: { name },
          file: blob ?? new Blob(),
          type: uploadType,
          signal: own.signal,
          onProgress: (bytes) => show({ sent: at + bytes }),
        })
        done.push(file)
        own.signal.throwIfAborted()
        before += size
      }
      // The first upload makes the connector of the folder.
      await client.invalidateQueries({ queryKey: ['listConnectors'] })
      own.signal.throwIfAborted()
      show({ phase: 'done', sent: total, files: [...done] })
    } catch (error) {
      discardAll()
      if (own.signal.aborted) show({ phase: 'stopped' })
      else
        show({
          phase: 'failed',
          error: error instanceof ApiFailure ? error : new ApiFailure(0, 'NETWORK', String(error)),
        })
    }
  }, [files, client])

  useEffect(() => {
    if (!isOn) return
    void start()
    return () => {
      going.current?.abort()
      going.current = null
    }
  }, [isOn, start])

  return {
    ...state,
    may,
    isOn,
    start,
    stop: () => going.current?.abort(),
    /** A draft reads them: they outlive the dialog. */
    keep: () => void (going.current = null),
    /** By its path on the machine of the executor instead. */
    preferPath: setByPath,
  }
}
export type Upload = ReturnType<typeof useUpload>
