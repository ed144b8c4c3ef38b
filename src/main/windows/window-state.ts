import { readZoom } from './zoom.rules.ts'

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

/** Where a window is on the screen, what it shows and how large: what comes back after a restart. */
export interface WindowState {
  /** Undefined lets the system choose the place. */
  x?: number
  y?: number
  width: number
  height: number
  maximized: boolean
  /** A path of the app. */
  path: string
  /** Percent. */
  zoom: number
}

export const DEFAULT_STATE: WindowState = { width: 1280, height: 800, maximized: false, path: '/', zoom: 100 }
export const MIN_SIZE = { width: 720, height: 480 }

/** How much of a window must lie on a screen for the user to get hold of it, in px. */
const GRIP = 64
/** How far a new window stands from the one that it would cover. */
const CASCADE = 28

export function parseWindowState(saved: unknown): WindowState {
  if (typeof saved !== 'object' || saved === null) return DEFAULT_STATE
  const { x, y, width, height, maximized, path, zoom } = saved as Record<string, unknown>
  if (!isPixels(width) || !isPixels(height)) return DEFAULT_STATE
  const place = isPixels(x) && isPixels(y) ? { x, y } : {}
  const size = { width: Math.max(width, MIN_SIZE.width), height: Math.max(height, MIN_SIZE.height) }
  return { ...place, ...size, maximized: maximized === true, path: readPath(path), zoom: readZoom(zoom) }
}

/** Keeps the size, and the place only where a screen still is: monitors get unplugged. */
export function placeOnScreens(state: WindowState, screens: readonly Bounds[]): WindowState {
  const { x, y, ...rest } = state
  if (x === undefined || y === undefined) return state
  const reachable = screens.some((screen) => {
    const across = Math.min(x + rest.width, screen.x + screen.width) - Math.max(x, screen.x)
    return across >= GRIP && y >= screen.y && y <= screen.y + screen.height - GRIP
  })
  return reachable ? state : rest
}

/** A new window beside the others: like the one last used, moved down and right until it covers none. */
export function cascade(
  last: WindowState | undefined,
  others: readonly Bounds[],
  screens: readonly Bounds[],
): WindowState {
  if (!last) return DEFAULT_STATE
  const state = { ...last, maximized: false, path: '/' }
  if (state.x === undefined || state.y === undefined) return state
  let { x, y } = state
  while (others.some((other) => Math.abs(other.x - x) < CASCADE / 2 && Math.abs(other.y - y) < CASCADE / 2)) {
    x += CASCADE
    y += CASCADE
  }
  const moved = placeOnScreens({ ...state, x, y }, screens)
  const screen = screens.find((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height)
  // Where the staircase would leave the screen it begins anew at the corner.
  return moved.x === undefined || (screen && y + state.height > screen.y + screen.height + CASCADE * 4)
    ? { ...state, x: (screen ?? screens[0])?.x, y: (screen ?? screens[0])?.y }
    : moved
}

function readPath(value: unknown): string {
  const isPath = typeof value === 'string' && value.length <= 2048 && /^\/(?![/\\])[^\\]*$/.test(value)
  return isPath ? value : '/'
}

function isPixels(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value)
}
