import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { connectorRunner } from '../../../src/executor/connectors/registry.ts'
import { folderWith, readFiles } from './read-files.ts'
import { fileConnector, temporaryFolder } from './run-task.ts'

/** A path below the folder, byte by byte: `é` is one byte, as in Latin-1. */
const bytesOf = (folder: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')])

describe('a name that is not valid UTF-8', () => {
  it.each(['*.csv', 'caf?.csv', '**/*.csv', '{caf*,a}.csv'])('of a file fails %s, which may mean it', async (glob) => {
    const folder = folderWith({ 'a.csv': 'id\n1\n' })
    writeFileSync(bytesOf(folder, 'café.csv'), 'id\n2\n')
    const { run } = await readFiles(folder, glob)
    expect(run.error).toMatchObject({
      code: 'FILE_UNREADABLE',
      step: 'source',
      message: `An entry of ${folder} may match \`${glob}\`, but its name is not valid UTF-8: \`caf\\xe9.csv\``,
    })
  })

  it('of a folder fails patterns that go into it', async () => {
    const folder = folderWith({ 'in/a/a.csv': 'id\n1\n', 'in/b/b.csv': 'id\n2\n' })
    renameSync(`${folder}/in/b`, bytesOf(folder, 'in/b\u00ff'))
    for (const glob of ['in/*/*.csv', 'in/**']) {
      const { run } = await readFiles(folder, glob, { files: ', format: csv' })
      expect(run.error).toMatchObject({
        code: 'FILE_UNREADABLE',
        message: `An entry of ${folder}/in may match \`${glob}\`, but its name is not valid UTF-8: \`b\\xff\``,
      })
    }
  })

  it('does not matter to a pattern that means other files', async () => {
    const folder = folderWith({ 'a.csv': 'id\n1\n', 'b\ufffd.csv': 'id\n2\n' })
    writeFileSync(bytesOf(folder, 'café.txt'), 'id\n3\n')
    writeFileSync(bytesOf(folder, '.café.csv'), 'id\n4\n')
    mkdirSync(bytesOf(folder, 'b\u00ff'))
    const { run, rows } = await readFiles(folder, '*.csv')
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('leaves the other files to be shown', async () => {
    const folder = folderWith({ 'a.csv': 'id\n1\n' })
    writeFileSync(bytesOf(folder, 'café.csv'), 'id\n2\n')
    const connector = fileConnector(folder)
    const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
    const { resources } = await connectorRunner(connector).listResources(connector, null, io)
    expect(resources.map((resource) => resource.name)).toEqual(['a.csv'])
  })
})
