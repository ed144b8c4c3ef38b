import type { DesktopBridge } from '../contract/desktop-bridge.ts'

/** What the desktop's own window can do beyond a browser tab; undefined in a browser, where each use has its second choice. */
export const desktopBridge = (): DesktopBridge | undefined => window.headgate
