import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Fault, Scene } from '../faults.ts'
import { rowAt, type Place } from '../rows.ts'

/** Only root may mount a disk of any size. */
const lacks = process.platform === 'linux' && process.getuid?.() === 0 ? null : 'root on Linux, to mount small disks'

interface SmallDisk {
  folder: string
  resize(bytes: number): void
  used(): number
  unmount(): void
}

function mountDisk({ world }: Scene, bytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-small-disk-'))
  const size = (of: number): string => `size=${Math.ceil(of / 4096) * 4096}`
  execFileSync('mount', ['-t', 'tmpfs', '-o', size(bytes), 'tmpfs', folder])
  let mounted = true
  const unmount = (): void => {
    if (mounted) execFileSync('umount', ['--lazy', folder])
    mounted = false
    rmSync(folder, { recursive: true, force: true })
  }
  world.atEnd(unmount)
  return {
    folder,
    resize: (of) => void execFileSync('mount', ['-o', `remount,${size(of)}`, folder]),
    used() {
      const { blocks, bfree, bsize } = statfsSync(folder)
      return (blocks - bfree) * bsize
    },
    unmount,
  }
}

const plenty = 2_000_000_000
const share: Record<Place, number> = { first: 0.05, middle: 0.5, last: 0.9 }

/** A step that must see all rows, and more of them, wider, than the engine's memory holds: 150,000 of 3,200 bytes. */
function spilling(rows: number): string {
  const wide = `SELECT s.*, c.range AS copy, repeat(md5(name), 100) AS pad FROM stream s CROSS JOIN range(${Math.ceil(150_000 / rows)}) c`
  return `{sql: ${JSON.stringify(wide)}}, {expect: [{name: pad, check: pad IS NOT NULL, on_fail: fail}]}, {filter: copy = 0}, {drop: [copy, pad]}`
}

/** The disk of the run's own folder, where sources put down what they fetch and steps what memory does not hold. */
export const fullWhileSpilling: Fault = {
  name: 'disk full while spilling',
  lacks,
  seconds: () => 6,
  unfit({ source, lane }) {
    if (lane.direct !== undefined) return `${lane.direct}: nothing is put down`
    return lane.typed && source.staged !== true ? 'no step: nothing is put down' : null
  },
  async strike(scene) {
    const { lane, place, source: from, target: into } = scene.cell
    const changes = lane.typed ? {} : { firstSteps: spilling(scene.rows) }
    const peak = await scene.world.once(
      `spilled ${from.staged ? from.name : ''} ${lane.typed} ${into.staged ? into.name : ''} ${scene.rows}`,
      async () => {
        const disk = mountDisk(scene, plenty)
        let most = 0
        const look = setInterval(() => (most = Math.max(most, disk.used())), 5)
        try {
          const run = await scene.run(await scene.source(null), await scene.target(), {
            ...changes,
            tempDir: disk.folder,
          })
          if (run.status !== 'success') throw new Error(`The run without a fault failed: ${run.error?.message}`)
          return most
        } finally {
          clearInterval(look)
          disk.unmount()
        }
      },
    )
    const [source, target] = [await scene.source(null), await scene.target()]
    const before = await target.look()
    const disk = mountDisk(scene, peak * share[place])
    return {
      failed: await scene.run(source, target, { ...changes, tempDir: disk.folder }),
      // What is fetched lies on the same disk, as does what later steps put down.
      stages: lane.typed ? ['source', 'target'] : ['source', 'expect', lane.breaks],
      codes: ['DISK_FULL'],
      target,
      before,
      // A run finds its folder empty.
      again: () => scene.run(source, target, changes),
      done: disk.unmount,
    }
  },
}

/** The disk that the target lies on. */
export const fullAtTarget: Fault = {
  name: 'disk full at the target',
  lacks,
  seconds: () => 2,
  unfit: ({ target }) => (target.onDisk === true ? null : 'the target’s disk is its server’s'),
  async strike(scene) {
    const { target: kind, mode, place, lane } = scene.cell
    const [begun, all] = await scene.world.once(`size ${kind.name} ${mode} ${lane.direct} ${scene.rows}`, async () => {
      const disk = mountDisk(scene, plenty)
      try {
        const target = await scene.target({ folder: disk.folder })
        const empty = disk.used()
        const run = await scene.run(await scene.source(null), target)
        if (run.status !== 'success') throw new Error(`The run without a fault failed: ${run.error?.message}`)
        return [empty, disk.used()]
      } finally {
        disk.unmount()
      }
    })
    const disk = mountDisk(scene, plenty)
    const [source, target] = [await scene.source(null), await scene.target({ folder: disk.folder })]
    const before = await target.look()
    disk.resize(begun + (all - begun) * share[place])
    return {
      failed: await scene.run(source, target),
      stages: ['target'],
      codes: [kind.fullCode ?? 'DISK_FULL'],
      target,
      before,
      again() {
        disk.resize(plenty)
        return scene.run(source, target)
      },
      done: disk.unmount,
    }
  },
}

/** A step that keeps rows in memory, of which those up to one are more than a run may have. No disk is of use to it. */
const keeping = (row: number): string => {
  const pad = `CASE WHEN id BETWEEN ${row - 10} AND ${row} THEN repeat(name, 1000000) ELSE '''' END`.replaceAll(
    `''''`,
    `''`,
  )
  const record = `{'id': id, 'name': name, 'amount': amount, 'code': code, 'pad': ${pad}}`
  return `{sql: ${JSON.stringify(`SELECT id, name, amount, code FROM (SELECT unnest(list(${record}), recursive := true) FROM stream)`)}}`
}

export const memoryLimit: Fault = {
  name: 'memory limit',
  seconds: () => 3,
  unfit: ({ lane }) => (lane.typed ? `${lane.name}: nothing is kept in memory` : null),
  async strike(scene) {
    const [source, target] = [await scene.source(null), await scene.target()]
    const before = await target.look()
    return {
      failed: await scene.run(source, target, { firstSteps: keeping(rowAt(scene.cell.place, scene.rows)) }),
      stages: ['sql'],
      codes: ['OUT_OF_MEMORY'],
      target,
      before,
      again: () => scene.run(source, target),
    }
  },
}
