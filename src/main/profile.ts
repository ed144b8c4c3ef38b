import { app } from 'electron'
import { statSync } from 'node:fs'
import { makeFolder } from '../process/data-dir.ts'

/** Chromium's profile lies inside the data folder; where that cannot be written, the server says so in the window. */
export function keepProfileIn(folder: string): void {
  try {
    makeFolder(folder)
    if (!statSync(folder).isDirectory()) throw new Error('it is no folder')
    app.setPath('userData', folder)
  } catch (error) {
    process.stderr.write(
      `headgate: cannot write ${folder} (${String(error)}); the window keeps its profile elsewhere.\n`,
    )
  }
}
