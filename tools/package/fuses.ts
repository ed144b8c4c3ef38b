import type { Configuration } from 'electron-builder'

/** Switches inside Electron's executable, set when it is packaged and never again. What each is for: docs/decisions/0025. */
export const fuses = {
  // Our processes are forked as utility processes; nobody else can make a Node of the app.
  runAsNode: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableCookieEncryption: true,
  // Mac and Windows; Electron does not check archives on Linux yet, where the package manager's digests stand for it.
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  // We bring no snapshot of our own.
  loadBrowserProcessSpecificV8Snapshot: false,
  // Pages come from the server on 127.0.0.1, never from files.
  grantFileProtocolExtraPrivileges: false,
} satisfies Configuration['electronFuses']
