// Holds the files of a folder and says how each is kept.
import { lstatSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { holdFile, newPlace } from '../../../../src/executor/engine/open-file.ts'

const [folder = '', tempDir = ''] = process.argv.slice(2)
const place = newPlace(tempDir)
const kinds = { linked: 0, copied: 0, wrong: 0 }
for (const name of readdirSync(folder)) {
  const { local } = await holdFile(join(folder, name), { tempDir, place, linked: true, check: () => undefined })
  kinds[lstatSync(local).isSymbolicLink() ? 'linked' : 'copied']++
  if (readFileSync(local, 'utf8') !== name) kinds.wrong++
}
console.log(JSON.stringify(kinds))
