import { DuckDBInstance } from '@duckdb/node-api'
import Database from 'better-sqlite3'
import { createHash } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Text that only files of the data folder hold. */
export const secret = 'canary-of-the-data-folder'

/** A data folder with a parent that holds files of its own. */
export interface Grounds {
  parent: string
  data: string
  /** What the data folder holds, for comparing: names and content. */
  content(): string
  remove(): void
}

export async function makeGrounds(): Promise<Grounds> {
  const parent = mkdtempSync(join(tmpdir(), 'headgate-grounds-'))
  const data = join(parent, 'data')
  mkdirSync(join(data, 'backups'), { recursive: true })
  mkdirSync(join(parent, 'files', 'deep'), { recursive: true })
  for (const name of ['headgate.db', 'lock.db', 'backups/old.db']) makeStore(join(data, name))
  const instance = await DuckDBInstance.create(join(data, 'inner.duckdb'))
  const connection = await instance.connect()
  await connection.run(
    `CREATE TABLE users (name VARCHAR, role VARCHAR); INSERT INTO users VALUES ('${secret}', 'editor')`,
  )
  connection.closeSync()
  instance.closeSync()
  writeFileSync(join(data, 'secret.key'), `key\n${secret}\n`)
  writeFileSync(join(data, 'config.yaml'), 'server: {}\n')
  writeFileSync(join(data, 'inner.csv'), `a\n${secret}\n`)
  for (const name of ['top.csv', 'files/good.csv', 'files/deep/good.csv'])
    writeFileSync(join(parent, name), 'a,b\n1,x\n2,y\n')
  return {
    parent,
    data,
    content: () => contentOf(data),
    remove: () => rmSync(parent, { recursive: true, force: true }),
  }
}

function makeStore(path: string): void {
  const database = new Database(path)
  database.exec(`CREATE TABLE users (name TEXT, role TEXT); INSERT INTO users VALUES ('${secret}', 'editor')`)
  database.close()
}

function contentOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const path = join(folder, name)
      return statSync(path).isDirectory()
        ? name
        : `${name} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
    })
    .join('\n')
}

export interface Detour {
  name: string
  /** Another path to a file or folder of the data folder: `''` is the folder itself. */
  to(grounds: Grounds, inside: string): string
  /** It leads to files only. */
  files?: true
}

let links = 0
const newLink = ({ parent }: Grounds, target: string, name = `link${++links}`): string => {
  const path = join(parent, 'files', name)
  symlinkSync(target, path)
  return path
}

/** Every way to say one place that needs no right beyond those of the user that Headgate runs as. */
export const detours: Detour[] = [
  { name: 'its own path', to: ({ data }, inside) => join(data, inside) },
  { name: '`..`', to: ({ parent }, inside) => [parent, 'files', '..', 'data', inside].join('/') },
  { name: '`..` behind a link', to: (grounds, inside) => `${newLink(grounds, grounds.data)}/../data/${inside}` },
  { name: '`..` behind nothing', to: ({ parent }, inside) => `${parent}/missing/../data/${inside}` },
  { name: 'dots and slashes', to: ({ data }, inside) => `${data}//.//${inside}` },
  { name: 'a link to the folder', to: (grounds, inside) => join(newLink(grounds, grounds.data), inside) },
  { name: 'a relative link', to: (grounds, inside) => join(newLink(grounds, '../data'), inside) },
  { name: 'a chain of links', to: (grounds, inside) => join(newLink(grounds, newLink(grounds, grounds.data)), inside) },
  { name: 'a link to the thing itself', to: (grounds, inside) => newLink(grounds, join(grounds.data, inside)) },
  {
    name: 'a hard link',
    files: true,
    to(grounds, inside) {
      const path = join(grounds.parent, 'files', `hard${++links}`)
      linkSync(join(grounds.data, inside), path)
      return path
    },
  },
  ...(process.platform === 'linux'
    ? [
        {
          name: '/proc/self/fd',
          to: ({ data }: Grounds, inside: string) => join('/proc/self/fd', String(openSync(data, 'r')), inside),
        },
        { name: '/proc/self/root', to: ({ data }: Grounds, inside: string) => join('/proc/self/root', data, inside) },
        {
          name: 'a link to /proc/self/root',
          to: (grounds: Grounds, inside: string) => join(newLink(grounds, '/proc/self/root'), grounds.data, inside),
        },
      ]
    : []),
]
