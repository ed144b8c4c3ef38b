import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

export interface WindowState {
  /** Undefined lets the system choose the place. */
  x?: number
  y?: number
  width: number
  height: number
  maximized: boolean
}

export const DEFAULT_STATE: WindowState = { width: 1280, height: 800, maximized: false }
export const MIN_SIZE = { width: 720, height: 480 }

/** How much of a window must lie on a screen for the user to get hold of it, in px. */
const GRIP = 64

/** What was saved, or the default: a file that is missing or was damaged costs the place on the screen, no more. */
export function readWindowState(path: string): WindowState {
  try {
    return parseWindowState(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return DEFAULT_STATE
  }
}

export function writeWindowState(path: string, state: WindowState): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(state))
}

export function parseWindowState(saved: unknown): WindowState {
  if (typeof saved !== 'object' || saved === null) return DEFAULT_STATE
  const { x, y, width, height, maximized } = saved as Record<string, unknown>
  if (!isPixels(width) || !isPixels(height)) return DEFAULT_STATE
  const place = isPixels(x) && isPixels(y) ? { x, y } : {}
  const size = { width: Math.max(width, MIN_SIZE.width), height: Math.max(height, MIN_SIZE.height) }
  return { ...place, ...size, maximized: maximized === true }
}

/** Keeps the size, and the place only where a screen still is: monitors get unplugged. */
export function placeOnScreens(state: WindowState, screens: readonly Bounds[]): WindowState {
  const { x, y, width, height, maximized } = state
  if (x === undefined || y === undefined) return state
  const reachable = screens.some((screen) => {
    const across = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x)
    return across >= GRIP && y >= screen.y && y <= screen.y + screen.height - GRIP
  })
  return reachable ? state : { width, height, maximized }
}

function isPixels(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value)
}
