import { useEffect } from 'react'
import { useSession } from '../../api/session.ts'
import { ofFile, putAside, receiveFiles, setDrag } from './incoming.store.ts'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
/** A field that takes files itself keeps them. */
const isTaken = (event: DragEvent) =>
  event.target instanceof Element && event.target.closest('[data-own-drop]') !== null

function take(transfer: DataTransfer | null): void {
  const items = Array.from(transfer?.items ?? []).filter((item) => item.kind === 'file')
  const folders = items.map((item) => item.webkitGetAsEntry()?.isDirectory === true)
  receiveFiles(Array.from(transfer?.files ?? [], (file, at) => ofFile(file, folders[at])))
}

/** Behind the question for the password nothing is taken, and no file replaces the page. */
function refuseFiles(): () => void {
  const refuse = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    event.stopPropagation()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
  }
  setDrag(null)
  const options = { capture: true }
  globalThis.addEventListener('dragover', refuse, options)
  globalThis.addEventListener('drop', refuse, options)
  return () => {
    globalThis.removeEventListener('dragover', refuse, options)
    globalThis.removeEventListener('drop', refuse, options)
  }
}

/**
 * Takes files that are dropped anywhere on the window, from its first moment on: a browser would leave the page for a file that
 * nobody takes.
 */
export function useFileDrop(): void {
  const { open } = useSession()
  // Somebody else who signs in gets no files of the one before.
  useEffect(() => () => putAside(), [])
  useEffect(() => {
    if (!open) return refuseFiles()
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      if (isTaken(event)) return setDrag(null)
      event.preventDefault()
      if (event.type !== 'dragenter') return
      const items = Array.from(event.dataTransfer?.items ?? []).filter((item) => item.kind === 'file')
      setDrag({ types: items.map((item) => item.type) })
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDrag(null)
    }
    const drop = (event: DragEvent) => {
      setDrag(null)
      if (!hasFiles(event) || isTaken(event)) return
      event.preventDefault()
      // An editor would put the file's text where it was let go.
      event.stopPropagation()
      take(event.dataTransfer)
    }
    const options = { capture: true }
    globalThis.addEventListener('dragenter', over, options)
    globalThis.addEventListener('dragover', over, options)
    globalThis.addEventListener('dragleave', leave, options)
    globalThis.addEventListener('drop', drop, options)
    return () => {
      globalThis.removeEventListener('dragenter', over, options)
      globalThis.removeEventListener('dragover', over, options)
      globalThis.removeEventListener('dragleave', leave, options)
      globalThis.removeEventListener('drop', drop, options)
    }
  }, [open])
}
