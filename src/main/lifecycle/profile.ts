import { app } from 'electron'
import { statSync } from 'node:fs'
import { makeFolder } from '../../process/data-dir.ts'

/** Chromium's profile lies inside the data folder; where that cannot be written, the server says so in the window. */
export function keepProfileIn(folder: string): void {
  try {
    makeFolder(folder)
    if (!statSync(folder).isDirectory()) throw new Error('not a folder')
    app.setPath('userData', folder)
  } catch (error) {
    process.stderr.write(`headgate: can’t write to ${folder} (${String(error)}); using another profile folder.\n`)
  }
}
