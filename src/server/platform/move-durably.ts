import { closeSync, copyFileSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from './data-folder.ts'
import { syncFolder } from './durable-file.ts'

/** Moves a file, also to another disk: then what stands at `to` is whole before `from` goes. */
export function moveDurably(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    const temporary = `${to}.partial`
    copyFileSync(from, temporary)
    syncFile(temporary)
    renameSync(temporary, to)
    syncFolder(dirname(to))
    rmSync(from)
  }
  syncFolder(dirname(to))
  syncFolder(dirname(from))
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
