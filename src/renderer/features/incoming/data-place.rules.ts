/** Where a file lies and which connector reaches it. Pure; paths of both worlds, as they are written on the machine. */
import type { Connector } from '../../../contract/connectors.ts'

export interface FilePlace {
  folder: string
  name: string
}

const isWindows = (path: string) => /^[A-Za-z]:[\\/]|^\\\\/.test(path)
const separatorOf = (path: string) => (isWindows(path) ? '\\' : '/')

export const isAbsolutePath = (path: string) => path.startsWith('/') || isWindows(path)

const partsOf = (path: string) => path.split(isWindows(path) ? /[\\/]+/ : /\/+/).filter((part) => part !== '')

/** `/home/ada/data/orders.csv` → its folder and its name; null for what is no path of a file. */
export function placeOf(path: string): FilePlace | null {
  const trimmed = path.trim()
  if (!isAbsolutePath(trimmed)) return null
  const at = Math.max(trimmed.lastIndexOf('/'), isWindows(trimmed) ? trimmed.lastIndexOf('\\') : -1)
  const name = trimmed.slice(at + 1)
  if (name === '' || name === '.' || name === '..') return null
  const folder = trimmed.slice(0, at)
  return { folder: folder === '' || /^[A-Za-z]:$/.test(folder) ? trimmed.slice(0, at + 1) : folder, name }
}

/** A folder and a name as one path. */
export const joined = (folder: string, name: string) =>
  /[\\/]$/.test(folder) ? folder + name : `${folder}${separatorOf(folder)}${name}`

/** The way from a folder to a file below it, with `/` between names; null where it lies elsewhere. */
export function pathBelow(root: string, path: string): string | null {
  if (!isAbsolutePath(root) || isWindows(root) !== isWindows(path)) return null
  const same = (a: string, b: string | undefined) => (isWindows(path) ? a.toLowerCase() === b?.toLowerCase() : a === b)
  const above = partsOf(root)
  const all = partsOf(path)
  if (all.includes('..') || above.includes('..')) return null
  if (above.length >= all.length || !above.every((part, at) => same(part, all[at]))) return null
  return all.slice(above.length).join('/')
}

const textIn = (config: Connector['config'], key: string) => {
  const value = config[key]
  return typeof value === 'string' ? value : ''
}

/** The connector of a folder that reaches the file by the shortest way. */
export function coveringFolder(
  connectors: readonly Connector[],
  path: string,
): { connector: Connector; way: string } | null {
  const found = connectors.flatMap((connector) => {
    const way = connector.type === 'file' ? pathBelow(textIn(connector.config, 'root'), path) : null
    return way === null ? [] : [{ connector, way }]
  })
  return found.toSorted((a, b) => a.way.split('/').length - b.way.split('/').length)[0] ?? null
}

/** The connector whose database this very file is. */
export const databaseAt = (connectors: readonly Connector[], type: 'sqlite' | 'duckdb', path: string) =>
  connectors.find(
    (connector) =>
      connector.type === type && partsOf(textIn(connector.config, 'path')).join('/') === partsOf(path).join('/'),
  ) ?? null

/** The last name of a folder, as a connector may be called. */
export const folderName = (folder: string) => partsOf(folder).at(-1)?.replace(/:$/, '') ?? ''

/** A path as a pattern that matches it and nothing else: what stands for other characters stands for itself, and no expression begins. */
export function exactGlob(way: string): string {
  const plain = way
    .replaceAll(/[*?[]/g, (character) => `[${character}]`)
    .replaceAll('{{', '??')
    .replace(/^~/, '[~]')
    .replace(/^([A-Za-z][A-Za-z0-9+.-]*):/, '$1[:]')
  // Braces with a comma choose; they have no other way to stand for themselves than one character of any kind.
  return /\{[^{}]*,[^{}]*\}/.test(plain) ? plain.replaceAll('{', '?') : plain
}

/** Files of one folder as one pattern; null where a name has a character that means something in a pattern. */
export function manyGlob(ways: readonly string[]): string | null {
  if (ways.length === 1) return exactGlob(ways[0] ?? '')
  return ways.some((way) => /[*?[\]{},~:$]/.test(way)) ? null : `{${ways.join(',')}}`
}

/** `name`, or with the first number from 2 that is free. Names are compared as databases do: without regard to case. */
export function freeName(name: string, taken: ReadonlySet<string>, most = 200): string {
  const isTaken = (one: string) => taken.has(one.toLowerCase())
  const cut = (ending: string) =>
    Array.from(name)
      .slice(0, most - ending.length)
      .join('')
      .trim() + ending
  if (!isTaken(cut(''))) return cut('')
  for (let number = 2; ; number += 1) if (!isTaken(cut(` ${number}`))) return cut(` ${number}`)
}
