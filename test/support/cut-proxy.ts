import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be cut: everything is passed on until so many bytes have passed. */
export interface CutProxy {
  port: number
  /** Connections so far. */
  connections(): number
  /** Bytes passed on so far, to the server and back. */
  passed(): { there: number; back: number }
  /** Each of the next `times` connections ends once so many bytes have come back over it, or have passed `both` ways together. */
  cutAfter(bytes: number, times: number, counted?: 'back' | 'both'): void
  /** Once so many bytes have passed to the server (`there`) or from it (`back`) in all, every connection ends and none is taken any more. */
  breakAfter(bytes: number, counted: 'there' | 'back'): void
  /** Whether `breakAfter` has struck. */
  isBroken(): boolean
  /** Passes nothing more back once so many bytes have come in all, until `cutNow`. */
  hold(bytes: number): void
  /** Ends every connection, and holds no longer. */
  cutNow(): void
  stop(): Promise<void>
}

export async function startCutProxy(target: number): Promise<CutProxy> {
  let limit = Infinity
  let times = 0
  let both = false
  let held = Infinity
  let broken = false
  const end = { there: Infinity, back: Infinity }
  let count = 0
  let [there, back] = [0, 0]
  const open = new Set<Socket>()
  const breaks = (): boolean => {
    if (there <= end.there && back <= end.back) return false
    broken = true
    for (const socket of open) socket.destroy()
    return true
  }
  const server = createServer((near) => {
    count++
    if (broken) {
      near.destroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    let passed = 0
    const endOne = (): void => {
      near.destroy()
      far.destroy()
      open.delete(near)
    }
    open.add(near)
    near.on('error', endOne).on('close', endOne)
    far.on('error', endOne).on('close', endOne)
    const isOver = (bytes: Buffer): boolean => {
      passed += bytes.length
      if (times === 0 || passed <= limit) return false
      times--
      endOne()
      return true
    }
    near.on('data', (bytes: Buffer) => {
      there += bytes.length
      if (breaks()) return
      if (!far.write(bytes)) {
        near.pause()
        far.once('drain', () => near.resume())
      }
      if (both) isOver(bytes)
    })
    near.on('end', () => far.end())
    far.on('data', (bytes: Buffer) => {
      back += bytes.length
      if (breaks() || isOver(bytes)) return
      near.write(bytes)
      if (back > held) far.pause()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No address')
  return {
    port: address.port,
    connections: () => count,
    passed: () => ({ there, back }),
    cutAfter(bytes, howOften, counted = 'back') {
      limit = bytes
      times = howOften
      both = counted === 'both'
    },
    breakAfter(bytes, counted) {
      end[counted] = bytes
    },
    isBroken: () => broken,
    hold(bytes) {
      held = bytes
    },
    cutNow() {
      held = Infinity
      for (const socket of open) socket.destroy()
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
