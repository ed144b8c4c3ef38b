import { isAbsolute } from 'node:path'

export type Checked<T> = { value: T } | { reason: string }

/** What everybody should know of a setting. */
export interface About {
  env: string
  title: string
  description: string
  unit?: string
  /** A change holds after the next start only: what it decides is decided once. */
  needsRestart?: true
  /** Admins can't change it: whoever chooses the folder can place a forged backup there and become superadmin by restoring it. */
  superadminOnly?: true
}

export interface Setting<T> extends About {
  type: 'boolean' | 'integer' | 'string' | 'enum' | 'list' | 'secret'
  /** The default. */
  value: T
  /** What to give instead of a bad value. */
  fix: string
  /** null is a value, too. */
  nullable: boolean
  minimum?: number
  maximum?: number
  options?: readonly string[]
  /** Text of an argument or variable as the value that YAML would give. */
  parse: (text: string) => unknown
  check: (value: unknown) => Checked<T>
}

const asIs = (text: string): unknown => text
const quoted = (value: unknown) => JSON.stringify(value)

export function boolean(about: About, value: boolean): Setting<boolean> {
  const words: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }
  return {
    ...about,
    type: 'boolean',
    value,
    nullable: false,
    fix: 'give true or false',
    parse: (text) => words[text.toLowerCase()] ?? text,
    check: (given) =>
      typeof given === 'boolean' ? { value: given } : { reason: `${quoted(given)} is neither true nor false` },
  }
}

export function integer(about: About, value: number, minimum: number, maximum: number): Setting<number> {
  return {
    ...about,
    type: 'integer',
    value,
    nullable: false,
    minimum,
    maximum,
    fix: `give a whole number from ${minimum} to ${maximum}`,
    parse: (text) => (/^-?\d+$/.test(text.trim()) ? Number(text) : text),
    check(given) {
      if (typeof given !== 'number' || !Number.isInteger(given))
        return { reason: `${quoted(given)} is not a whole number` }
      return given < minimum || given > maximum ? { reason: `${given} is out of range` } : { value: given }
    },
  }
}

export function secret(about: About): Setting<string | null> {
  return {
    ...about,
    type: 'secret',
    value: null,
    nullable: true,
    fix: 'give a text of at least 8 characters (visible ASCII, at most 4096), or leave it out',
    parse: asIs,
    // The value itself is never repeated: it may be a mistyped secret.
    check(given) {
      if (given === null) return { value: null }
      if (typeof given !== 'string') return { reason: 'is not a text' }
      if (given.length < 8) return { reason: 'is too short' }
      if (given.length > 4096) return { reason: 'is too long' }
      // It travels in a header.
      return /^[\x21-\x7e]+$/.test(given) ? { value: given } : { reason: 'holds other than visible ASCII characters' }
    },
  }
}

export function folder(about: About): Setting<string | null> {
  return {
    ...about,
    superadminOnly: true,
    type: 'string',
    value: null,
    nullable: true,
    fix: 'give the absolute path of a folder, or leave it out',
    parse: asIs,
    check(given) {
      if (given === null) return { value: null }
      if (typeof given !== 'string') return { reason: 'is not a text' }
      // oxlint-disable-next-line no-control-regex -- those are what no path should hold
      if (given.length > 4096 || /[\0-\x1f]/.test(given) || !given.isWellFormed()) {
        return { reason: 'is too long for a path, or holds characters that no path should have' }
      }
      return isAbsolute(given) ? { value: given } : { reason: `${quoted(given)} is not an absolute path` }
    },
  }
}

export function address(about: About, value: string): Setting<string> {
  return {
    ...about,
    type: 'string',
    value,
    nullable: false,
    fix: 'give an address such as 127.0.0.1 or 0.0.0.0',
    parse: asIs,
    check: (given) =>
      typeof given === 'string' && /^[\w.:-]{1,255}$/.test(given)
        ? { value: given }
        : { reason: `${shortened(given)} is not an address` },
  }
}

export function hostNames(about: About): Setting<string[]> {
  return {
    ...about,
    type: 'list',
    value: [],
    nullable: false,
    fix: 'give host names such as headgate.example.com or headgate.example.com:8443',
    parse: (text) => text.split(',').map((name) => name.trim()),
    check(given) {
      if (!Array.isArray(given)) return { reason: 'is not a list' }
      if (given.length > 1000) return { reason: 'is too long a list' }
      const bad: unknown = given.find((name) => typeof name !== 'string' || !/^[\w.-]{1,253}(:\d{1,5})?$/.test(name))
      // Every element was just seen to be a string.
      return bad === undefined ? { value: given as string[] } : { reason: `${shortened(bad)} is not a host name` }
    },
  }
}

export function choice<const T extends string>(about: About, value: NoInfer<T>, options: readonly T[]): Setting<T> {
  return {
    ...about,
    type: 'enum',
    value,
    nullable: false,
    options,
    fix: `give one of ${options.join(', ')}`,
    parse: asIs,
    check(given) {
      const found = options.find((known) => known === given)
      return found === undefined ? { reason: `${shortened(given)} is not a level` } : { value: found }
    },
  }
}

/** What was given may be of any size; a message is not. */
const shortened = (value: unknown) => {
  const text = quoted(value) ?? String(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
