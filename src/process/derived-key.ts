import { createHmac } from 'node:crypto'

/** The key for one thing alone, in hexadecimal: whoever is given it can do nothing else, and learns nothing of `key`. */
export function derivedKey(key: string, id: string): string {
  return createHmac('sha256', key).update(id).digest('hex')
}
