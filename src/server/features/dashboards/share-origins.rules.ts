/** Sites that may embed a dashboard, beyond their form: an origin that a browser ignores, or that everyone can have, is a mistake. */
import { type Message, msg } from '../../../contract/messages.ts'

/** Not all registries are known here; these are the ones that people write. */
const isRegistry = (host: string): boolean =>
  !host.includes('.') || /^(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}$/.test(host)
const isLabel = (label: string): boolean => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)

/** What is wrong with an origin that has the form of one; null: nothing. */
export function originProblem(origin: string): Message | null {
  const [, wildcard, name = '', port] = /^https?:\/\/(\*\.)?([^:]*)(?::(\d+))?$/.exec(origin) ?? []
  const host = name.toLowerCase()
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return msg('origin_port', { origin })
  const isAddress = /^[\d.]+$/.test(host)
  if (!host.split('.').every(isLabel) || (isAddress && !isIpv4(host))) return msg('origin_host', { origin })
  if (wildcard && (isAddress || isRegistry(host))) return msg('origin_wildcard', { origin })
  return null
}

const isIpv4 = (host: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) && host.split('.').every((part) => Number(part) <= 255)
