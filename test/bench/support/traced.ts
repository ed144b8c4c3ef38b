// How smooth a page is while something goes on, from Chromium's own trace: how far frames lie apart, and how much processor time
// each task of the page's thread took. The latter says what the page costs also on a machine that is busy with something else.
import type { Browser, Page } from 'playwright'
import type { BenchResult } from '../result.ts'
import { percentile, round } from './fake-fleet.ts'

export interface Smoothness {
  /** Between two frames, in ms. */
  frames: { p50: number; p95: number; p99: number }
  /** Processor time of tasks of the page's thread, in ms. */
  tasks: { p99: number; longest: number; beyondFrame: number; count: number }
  /** Sum of unexpected layout shifts. */
  shift: number
}

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  tdur?: number
  args?: { name?: string }
}

const frameMs = 1000 / 60

export async function traced(browser: Browser, page: Page, act: () => Promise<void>): Promise<Smoothness> {
  await page.evaluate(() => {
    const seen = { frames: [] as number[], shift: 0, going: true }
    let last = performance.now()
    const frame = (now: number) => {
      seen.frames.push(now - last)
      last = now
      if (seen.going) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        // Only entries of this type have these fields.
        const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
        if (!hadRecentInput) seen.shift += value
      }
    }).observe({ type: 'layout-shift' })
    Object.assign(globalThis, { seen })
  })
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  await act()
  const trace = await browser.stopTracing()
  const { frames, shift } = await page.evaluate(() => {
    // Put there above.
    const { seen } = globalThis as unknown as { seen: { frames: number[]; shift: number; going: boolean } }
    seen.going = false
    return seen
  })
  // Written by Chromium.
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] }
  const tasks = pageTasks(traceEvents)
  return {
    frames: {
      p50: round(percentile(frames, 0.5)),
      p95: round(percentile(frames, 0.95)),
      p99: round(percentile(frames, 0.99)),
    },
    tasks: {
      p99: round(percentile(tasks, 0.99)),
      longest: round(Math.max(0, ...tasks)),
      beyondFrame: tasks.filter((ms) => ms > frameMs).length,
      count: tasks.length,
    },
    shift: round(shift, 3),
  }
}

/** Of the busiest page's thread: another tab or the browser's own pages have some, too. */
function pageTasks(events: readonly TraceEvent[]): number[] {
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const byThread = new Map<string, number[]>()
  for (const { name, ph, pid, tid, tdur } of events) {
    const thread = `${pid} ${tid}`
    if (ph !== 'X' || !name.endsWith('RunTask') || tdur === undefined || !threads.has(thread)) continue
    if (!byThread.has(thread)) byThread.set(thread, [])
    byThread.get(thread)!.push(tdur / 1000)
  }
  const sum = (list: number[]) => list.reduce((all, ms) => all + ms, 0)
  return [...byThread.values()].toSorted((a, b) => sum(b) - sum(a))[0] ?? []
}

/** A row of the table: holds when all but one in a hundred tasks leave the frame its time. */
export function smoothnessRow(name: string, { frames, tasks, shift }: Smoothness): BenchResult {
  return {
    name,
    value: tasks.p99,
    unit: 'ms',
    bar: '≤ 16.7 ms',
    passed: tasks.p99 <= frameMs,
    note: `processor time of the page’s tasks at p99, longest ${tasks.longest} ms, ${tasks.beyondFrame} of ${tasks.count} beyond a frame; frames p50 ${frames.p50}, p95 ${frames.p95}, p99 ${frames.p99} ms apart; shift ${shift}`,
  }
}
