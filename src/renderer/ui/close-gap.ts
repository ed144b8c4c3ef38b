const widths = new Map<string, number>()

/** Pixels of an ellipsis in the type of the element. */
function ellipsisWidth(element: HTMLElement): number {
  // Its short form is empty where figures are all as wide: a canvas knows nothing of that.
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(element)
  const font = `${fontWeight} ${fontSize} ${fontFamily}`
  let width = widths.get(font)
  if (width === undefined) {
    const brush = document.createElement('canvas').getContext('2d')
    if (brush) brush.font = font
    width = brush?.measureText('…').width ?? 0
    widths.set(font, width)
  }
  return width
}

/** Pixels that a cut text leaves behind its ellipsis, which takes the place of whole letters. */
function gapOf(head: HTMLElement): number {
  const [text] = head.childNodes
  if (!(text instanceof Text) || head.scrollWidth <= head.clientWidth) return 0
  const range = document.createRange()
  // A graph draws its names larger or smaller.
  const scale = head.getBoundingClientRect().width / head.offsetWidth
  const room = head.clientWidth - ellipsisWidth(head)
  const widthOf = (letters: number) => {
    range.setStart(text, 0)
    range.setEnd(text, letters)
    return range.getBoundingClientRect().width / scale
  }
  let [fitting, most] = [0, text.length]
  while (fitting < most) {
    const middle = Math.ceil((fitting + most) / 2)
    if (widthOf(middle) <= room) fitting = middle
    else most = middle - 1
  }
  return fitting === 0 ? 0 : Math.max(0, room - widthOf(fitting))
}

let observer: ResizeObserver | undefined

/** What follows a cut text stands right behind its ellipsis, however wide the letter is that had no room. */
export function closeGap(head: HTMLElement): () => void {
  observer ??= new ResizeObserver((entries) => {
    const heads = entries.flatMap(({ target }) => (target instanceof HTMLElement ? [target] : []))
    // All are measured before any is moved.
    const gaps = heads.map(gapOf)
    heads.forEach((one, at) => one.parentElement?.style.setProperty('--gap', `${gaps[at]}px`))
  })
  const watching = observer
  watching.observe(head)
  return () => watching.unobserve(head)
}
