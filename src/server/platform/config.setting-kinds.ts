import { isAbsolute } from 'node:path'
import { type Message, msg } from '../../contract/messages.ts'
import { isNever } from './reachable-address.ts'

export type Checked<T> = { value: T } | { reason: Message }

/** What everybody should know of a setting. */
export interface About {
  env: string
  title: string
  description: string
  unit?: string
  /** A change holds after the next start only: what it decides is decided once. */
  needsRestart?: true
  /**
   * Admins can't change it: whoever chooses the folder can place a forged backup there and become superadmin by restoring it, whoever
   * chooses the address, or the provider, gets the stored key, whoever knows the key of executors gets stored secrets, and how superadmins
   * sign in is theirs to decide.
   */
  superadminOnly?: true
}

export interface Setting<T> extends About {
  type: 'boolean' | 'integer' | 'string' | 'enum' | 'list' | 'secret'
  /** The default. */
  value: T
  /** What to give instead of a bad value. */
  fix: Message
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
    fix: msg('give_true_or_false'),
    parse: (text) => words[text.toLowerCase()] ?? text,
    check: (given) =>
      typeof given === 'boolean'
        ? { value: given }
        : { reason: msg('neither_true_nor_false', { value: quoted(given) }) },
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
    fix: msg('give_whole_number', { minimum, maximum }),
    parse: (text) => (/^-?\d+$/.test(text.trim()) ? Number(text) : text),
    check(given) {
      if (typeof given !== 'number' || !Number.isInteger(given))
        return { reason: msg('not_whole_number', { value: quoted(given) }) }
      return given < minimum || given > maximum
        ? { reason: msg('number_out_of_range', { value: given }) }
        : { value: given }
    },
  }
}

export function secret(about: About): Setting<string | null> {
  return {
    ...about,
    type: 'secret',
    value: null,
    nullable: true,
    fix: msg('give_secret'),
    parse: asIs,
    // The value itself is never repeated: it may be a mistyped secret.
    check(given) {
      if (given === null) return { value: null }
      if (typeof given !== 'string') return { reason: msg('not_text') }
      if (given.length < 8) return { reason: msg('secret_too_short') }
      if (given.length > 4096) return { reason: msg('secret_too_long') }
      // It travels in a header.
      return /^[\x21-\x7e]+$/.test(given) ? { value: given } : { reason: msg('secret_not_ascii') }
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
    fix: msg('give_folder'),
    parse: asIs,
    check(given) {
      if (given === null) return { value: null }
      if (typeof given !== 'string') return { reason: msg('not_text') }
      // oxlint-disable-next-line no-control-regex -- those are what no path should hold
      if (given.length > 4096 || /[\0-\x1f]/.test(given) || !given.isWellFormed()) {
        return { reason: msg('not_a_path') }
      }
      return isAbsolute(given) ? { value: given } : { reason: msg('folder_not_absolute', { value: quoted(given) }) }
    },
  }
}

export function address(about: About, value: string): Setting<string> {
  return {
    ...about,
    type: 'string',
    value,
    nullable: false,
    fix: msg('give_address'),
    parse: asIs,
    check: (given) =>
      typeof given === 'string' && /^[\w.:-]{1,255}$/.test(given)
        ? { value: given }
        : { reason: msg('not_an_address', { value: shortened(given) }) },
  }
}

export function word(about: About, value: string): Setting<string> {
  return {
    ...about,
    type: 'string',
    value,
    nullable: false,
    fix: msg('give_word'),
    parse: asIs,
    check: (given) =>
      typeof given === 'string' && /^[\w.:/-]{1,200}$/.test(given)
        ? { value: given }
        : { reason: msg('not_a_word', { value: shortened(given) }) },
  }
}

export function hostNames(about: About): Setting<string[]> {
  return {
    ...about,
    type: 'list',
    value: [],
    nullable: false,
    fix: msg('give_host_names'),
    parse: (text) => text.split(',').map((name) => name.trim()),
    check(given) {
      if (!Array.isArray(given)) return { reason: msg('not_list') }
      if (given.length > 1000) return { reason: msg('too_many_host_names') }
      const bad: unknown = given.find((name) => typeof name !== 'string' || !/^[\w.-]{1,253}(:\d{1,5})?$/.test(name))
      // Every element was just seen to be a string.
      return bad === undefined
        ? { value: given as string[] }
        : { reason: msg('not_host_name', { value: shortened(bad) }) }
    },
  }
}

export function text(about: About, most: number): Setting<string | null> {
  return {
    ...about,
    type: 'string',
    value: null,
    nullable: true,
    fix: msg('give_text', { most }),
    parse: asIs,
    check(given) {
      if (given === null) return { value: null }
      const isText = typeof given === 'string' && given.trim() === given && given.length > 0 && given.length <= most
      return isText && !/\p{Cc}/u.test(given) ? { value: given } : { reason: msg('not_short_text') }
    },
  }
}

/** Where a secret is sent: admins can't lead it elsewhere. */
export const webAddress = (about: About): Setting<string | null> => ({ ...shownAddress(about), superadminOnly: true })

/** An address that people are shown; nothing is sent there. */
export function shownAddress(about: About): Setting<string | null> {
  return {
    ...about,
    type: 'string',
    value: null,
    nullable: true,
    fix: msg('give_web_address'),
    parse: asIs,
    check(given) {
      if (given === null) return { value: null }
      if (typeof given !== 'string' || given.length > 1000) return { reason: msg('not_web_address') }
      const url = URL.parse(given)
      const isPlain =
        url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
      if (!isPlain) return { reason: msg('not_web_address') }
      return isNever(url) ? { reason: msg('web_address_never') } : { value: given.replace(/\/+$/, '') }
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
    fix: msg('give_one_of', { options }),
    parse: asIs,
    check(given) {
      const found = options.find((known) => known === given)
      return found === undefined ? { reason: msg('not_a_level', { value: shortened(given) }) } : { value: found }
    },
  }
}

/** What was given may be of any size; a message is not. */
const shortened = (value: unknown) => {
  const text = quoted(value) ?? String(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** What is wrong with a setting, and what to give instead. */
export const settingMistake = ({ key, reason, fix }: { key: string; reason: Message; fix: Message }): Message =>
  msg('config_setting_wrong', { setting: key, problem: reason, advice: fix })
