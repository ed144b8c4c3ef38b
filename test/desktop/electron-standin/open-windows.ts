import type { BrowserWindow } from './browser-window.ts'

/** All windows that are not closed, in the order they were made. A module of its own: app and windows need each other. */
export const openWindows = new Map<number, BrowserWindow>()

let focused: BrowserWindow | null = null

export function focusedWindow(): BrowserWindow | null {
  return focused
}

export function setFocusedWindow(window: BrowserWindow | null): void {
  focused = window
}

export function windowOfTarget(targetId: string): BrowserWindow | undefined {
  return [...openWindows.values()].find((window) => window.targetId === targetId)
}
