/** The encoding of a text that is not Unicode, by what its bytes most likely are. Pure. It is shown, and can be changed. */
import type { CsvEncoding } from '../../../language/task/sources/source.types.ts'

interface Pairs {
  pairs: { lead: number; trail: number }[]
  /** Some characters take four bytes, as only GB 18030 has them. */
  hasFours: boolean
}

/** Pairs of bytes of East Asian encodings, as far as they begin and go on like such; null where something cannot be a pair. */
function pairsOf(bytes: Uint8Array): Pairs | null {
  const pairs: Pairs['pairs'] = []
  let hasFours = false
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0
    if (lead < 0x80) continue
    at += 1
    // The last character of a head may be cut in two.
    if (at === bytes.length) break
    const trail = bytes[at] ?? 0
    if (among(trail, 0x30, 0x39) && among(bytes[at + 1] ?? 0x81, 0x81, 0xfe)) {
      hasFours = true
      at += 2
      continue
    }
    if (trail < 0x40 || trail === 0x7f) return null
    pairs.push({ lead, trail })
  }
  return { pairs, hasFours }
}

const decodes = (bytes: Uint8Array, encoding: CsvEncoding) => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}

const share = (count: number, of: number) => (of === 0 ? 0 : count / of)
const among = (value: number, from: number, to: number) => value >= from && value <= to
/** As much of a text has to be what an encoding is for. */
const most = 0.7

/** Kana and the characters that go with them; single bytes of half-width kana look like accents of Western texts. */
function japanese(bytes: Uint8Array): CsvEncoding | null {
  for (const encoding of ['euc-jp', 'shift_jis'] as const) {
    const text = decodes(bytes, encoding)
    const foreign = text?.match(/[^\0-\x7f]/gu) ?? []
    const kana = foreign.filter((one) => /[\u3040-\u30ff]/u.test(one)).length
    const fitting = foreign.filter((one) => /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]/u.test(one)).length
    if (share(fitting, foreign.length) >= most && share(kana, foreign.length) >= 0.1) return encoding
  }
  return null
}

/** In Western words a letter follows. */
const isMostlyLetters = (pairs: Pairs['pairs']) =>
  share(pairs.filter(({ trail }) => among(trail | 0x20, 0x61, 0x7a)).length, pairs.length) >= 0.6

function eastAsian(bytes: Uint8Array): CsvEncoding | null {
  const kana = japanese(bytes)
  if (kana) return kana
  const { pairs = null, hasFours = false } = pairsOf(bytes) ?? {}
  // Shift JIS without kana: its first bytes lie where others have none.
  if (decodes(bytes, 'shift_jis')) {
    const text = (decodes(bytes, 'shift_jis') ?? '').match(/[^\0-\x7f]/gu) ?? []
    const kanji = text.filter((one) => /[\u4e00-\u9fff]/u.test(one)).length
    if (
      share(kanji, text.length) >= most &&
      pairs?.some(({ lead }) => among(lead, 0x88, 0x9f)) &&
      !isMostlyLetters(pairs)
    )
      return 'shift_jis'
  }
  if (!pairs || pairs.length === 0) return null
  const trails = pairs.filter(({ trail }) => trail < 0xa1).length
  const big5 = pairs.filter(({ lead }) => among(lead, 0xa4, 0xc6)).length
  if (!hasFours && trails > 0 && share(big5, pairs.length) >= most && decodes(bytes, 'big5')) return 'big5'
  const common = pairs.filter(({ lead, trail }) => among(lead, 0xb0, 0xd7) && trail >= 0xa1).length
  if (share(common, pairs.length) < most) return null
  // Syllables of Hangul end before half of the Chinese characters begin.
  const hangul = pairs.every(({ lead }) => !among(lead, 0xc9, 0xf7))
  if (!hasFours && hangul && pairs.length >= 8 && decodes(bytes, 'euc-kr')) return 'euc-kr'
  return decodes(bytes, 'gb18030') ? 'gb18030' : null
}

/** Capitals within words, where nobody writes them. */
const oddCapitals = (text: string) => (text.match(/\p{Ll}\p{Lu}/gu) ?? []).length

/** What Central European texts write as letters, and Western ones as signs that stand beside no letter. */
const central =
  /[A-Za-z][\xa3\xa5\xb3\xb9\xbc\xbe\x8c\x9c\x8f\x9f\xaf\xbf\x8d\x9d]|[\xa3\xa5\xb3\xb9\xbc\xbe\x8c\x9c\x8f\x9f\xaf\xbf\x8d\x9d][a-z]/
/** `ě` within a word, where Italian has no `ì`; `ž` and `š` beside `č`, `ř` or `ů`, which no Western language has together with what they would be. */
const isCzech = (plain: string) =>
  /[A-Za-z]\xec[a-z]/.test(plain) ||
  (/[\x8a\x8e\x9a\x9e]/.test(plain) && /[\xc8\xcc\xd8\xd9\xe8\xec\xf2\xf8\xf9]/.test(plain))
const turkish = /[A-Za-z][\xf0\xfd\xfe\xdd\xde\xd0]|[\xf0\xfd\xfe\xdd\xde\xd0][a-z]/

function singleByte(bytes: Uint8Array): CsvEncoding {
  const plain = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const high = plain.match(/[\xc0-\xff]+/g) ?? []
  const letters = high.join('').length
  // Words of a script of its own are written in nothing else.
  if (high.length > 0 && letters / high.length >= 3) {
    const [cyrillic, greek] = (['windows-1251', 'windows-1253'] as const).map((one) =>
      oddCapitals(new TextDecoder(one).decode(bytes)),
    )
    return (greek ?? 0) < (cyrillic ?? 0) ? 'windows-1253' : 'windows-1251'
  }
  if (central.test(plain) || isCzech(plain)) return 'windows-1250'
  return turkish.test(plain) && !/[\xc6\xe6]/.test(plain) ? 'windows-1254' : 'windows-1252'
}

export const legacyEncoding = (bytes: Uint8Array): CsvEncoding => eastAsian(bytes) ?? singleByte(bytes)
