/** Names of uploaded files. Pure. */

/** What some file system or a pattern of files gives a meaning, and what nobody can see. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"/\\|?*[\]{}$~,;`!]/gu
/** Devices of Windows, and what marks a data folder, whose files are protected. */
const reserved = /^((con|prn|aux|nul|com\d|lpt\d)(\.|$)|headgate\.db$)/i
/** File systems take 255; a number may come to it. */
const mostBytes = 200

/** The stem and what its endings say: `orders` and `.csv.gz`. */
function partsOf(name: string): [stem: string, ending: string] {
  const ending = /(\.[A-Za-z0-9]{1,8}){1,2}$/.exec(name)?.[0] ?? ''
  return [name.slice(0, name.length - ending.length), ending]
}

/** A name that every file system takes, that is hidden nowhere and leads nowhere. */
export function safeName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const clean = last
    .normalize('NFC')
    .replaceAll(unsafe, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '')
  const [stem, ending] = partsOf(clean)
  let short = Array.from(stem)
  while (Buffer.byteLength(short.join('')) > mostBytes - ending.length) short = short.slice(0, -1)
  const name = `${short.join('').trim() || 'file'}${ending}`
  return reserved.test(name) ? `_${name}` : name
}

/** The same file's name for the second and later ones: `orders (2).csv.gz`. */
export function numberedName(name: string, number: number): string {
  const [stem, ending] = partsOf(name)
  return number === 1 ? name : `${stem} (${number})${ending}`
}
