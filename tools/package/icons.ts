// `node tools/package/icons.ts`: draws resources/icon.svg in every size that a system asks for, and packs them as Windows (.ico)
// and the Mac (.icns) want them. Run by hand when the drawing has changed; what it writes is in git, so that packaging needs
// neither a browser nor the network.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright'

const resources = resolve(import.meta.dirname, '../../resources')
const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024]
const icoSizes = [16, 24, 32, 48, 64, 128, 256]
/** The Mac's name of each size; those that end in a double size are for its dense screens. */
const icnsTypes: Record<string, number> = {
  icp4: 16,
  icp5: 32,
  ic11: 32,
  ic12: 64,
  ic07: 128,
  ic13: 256,
  ic08: 256,
  ic14: 512,
  ic09: 512,
  ic10: 1024,
}

async function draw(svg: string): Promise<Map<number, Buffer>> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const drawn = new Map<number, Buffer>()
    for (const size of sizes) {
      const page = await browser.newPage({ viewport: { width: size, height: size } })
      const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
      await page.setContent(
        `<style>*{margin:0}img{display:block;width:${size}px;height:${size}px}</style><img src="${image}">`,
      )
      drawn.set(size, await page.screenshot({ omitBackground: true }))
      await page.close()
    }
    return drawn
  } finally {
    await browser.close()
  }
}

/** A directory of pictures, each a whole PNG file. */
function ico(images: Map<number, Buffer>): Buffer {
  const header = Buffer.alloc(6 + 16 * icoSizes.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(icoSizes.length, 4)
  let offset = header.length
  const parts = icoSizes.map((size, n) => {
    const png = images.get(size)!
    const at = 6 + 16 * n
    // 256 does not fit into its byte and is written as 0.
    header.writeUInt8(size % 256, at)
    header.writeUInt8(size % 256, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(png.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += png.length
    return png
  })
  return Buffer.concat([header, ...parts])
}

function icns(images: Map<number, Buffer>): Buffer {
  const parts = Object.entries(icnsTypes).map(([type, size]) => block(type, images.get(size)!))
  return block('icns', Buffer.concat(parts))
}

function block(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.write(type, 'latin1')
  header.writeUInt32BE(content.length + 8, 4)
  return Buffer.concat([header, content])
}

const images = await draw(readFileSync(join(resources, 'icon.svg'), 'utf8'))
mkdirSync(join(resources, 'icons'), { recursive: true })
for (const [size, png] of images) writeFileSync(join(resources, 'icons', `${size}x${size}.png`), png)
writeFileSync(join(resources, 'icons', 'icon.ico'), ico(images))
writeFileSync(join(resources, 'icons', 'icon.icns'), icns(images))
