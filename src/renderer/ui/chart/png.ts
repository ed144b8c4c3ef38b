import type { ChartLooks } from './options.rules.ts'

interface Picture {
  title: string
  /** Names of the series with their colors; none where there is one series. */
  keys: readonly { name: string; color: string }[]
  looks: ChartLooks
}

const scale = 2
const margin = 12
const line = 20

/** The chart as a file: its title and the key to its colors above the picture. */
export function pngOf(chart: HTMLCanvasElement, { title, keys, looks }: Picture): Promise<Blob> {
  const canvas = document.createElement('canvas')
  const width = chart.width / scale + 2 * margin
  const pen = canvas.getContext('2d')
  if (!pen) return Promise.reject(new Error('This browser can’t draw pictures.'))
  const font = (weight: number, size: number) => `${weight} ${size}px ${looks.fontFamily}`
  pen.font = font(400, 12)
  const places: { name: string; color: string; x: number; row: number }[] = []
  let [x, row] = [margin, 0]
  for (const { name, color } of keys) {
    const wide = pen.measureText(name).width + 30
    if (x > margin && x + wide > width - margin) [x, row] = [margin, row + 1]
    places.push({ name, color, x, row })
    x += wide
  }
  const head = margin + line + (keys.length > 0 ? (row + 1) * line : 0)
  canvas.width = width * scale
  canvas.height = (head + chart.height / scale + margin) * scale
  pen.scale(scale, scale)
  pen.fillStyle = looks.surface
  pen.fillRect(0, 0, width, canvas.height)
  pen.textBaseline = 'middle'
  pen.fillStyle = looks.text
  pen.font = font(600, 13)
  pen.fillText(title, margin, margin + line / 2 - 2, width - 2 * margin)
  pen.font = font(400, 12)
  for (const key of places) {
    const y = margin + line * (key.row + 1) + line / 2 - 2
    pen.fillStyle = key.color
    pen.fillRect(key.x, y - 5, 10, 10)
    pen.fillStyle = looks.muted
    pen.fillText(key.name, key.x + 16, y)
  }
  pen.drawImage(chart, margin, head, chart.width / scale, chart.height / scale)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('This browser can’t draw pictures.'))),
      'image/png',
    )
  })
}

export const pngScale = scale
