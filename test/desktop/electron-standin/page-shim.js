// Runs in every page before its own scripts (Page.addScriptToEvaluateOnNewDocument): gives the preload its `electron`.
// ipc.ts puts the codec in front and substitutes the upper-case markers. Not a module: it must not leak a name.
;(() => {
  if (window !== window.top) return
  const send = window.__electronStandin
  if (!send) return
  delete window.__electronStandin

  const post = (message) => send(JSON.stringify(message))
  const calls = new Map()
  const listeners = new Map()
  let lastCall = 0

  const on = (channel, listener) => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
    return ipcRenderer
  }
  const off = (channel, listener) => {
    const others = (listeners.get(channel) ?? []).filter((one) => one !== listener && one.inner !== listener)
    listeners.set(channel, others)
    return ipcRenderer
  }
  const ipcRenderer = {
    invoke: (channel, ...args) =>
      new Promise((resolve, reject) => {
        const id = ++lastCall
        calls.set(id, { resolve, reject })
        post({ kind: 'invoke', id, channel, args: args.map(encode) })
      }),
    send: (channel, ...args) => post({ kind: 'send', channel, args: args.map(encode) }),
    on,
    addListener: on,
    off,
    removeListener: off,
    once(channel, listener) {
      const wrapped = (...args) => {
        off(channel, wrapped)
        listener(...args)
      }
      wrapped.inner = listener
      return on(channel, wrapped)
    },
  }

  // webUtils.getPathForFile answers at once, the paths come from main: an event with files waits until they are known.
  const paths = new Map()
  const asked = new Map()
  const keyOf = ({ name, size, lastModified }) => JSON.stringify([name, size, lastModified])
  Object.defineProperty(window, '__standinFiles', { value: (id) => asked.get(id)?.files ?? [] })
  const withPaths = (event, files, again) => {
    if (files.every((file) => paths.has(keyOf(file)))) return
    event.stopImmediatePropagation()
    event.preventDefault()
    const id = ++lastCall
    asked.set(id, { files, again })
    post({ kind: 'files', id })
  }
  const onPaths = ({ id, paths: found }) => {
    const { files, again } = asked.get(id)
    asked.delete(id)
    for (const [at, file] of files.entries()) paths.set(keyOf(file), found[at] ?? '')
    again()
  }
  const onChange = (event) => {
    const input = event.target
    if (input.type !== 'file') return
    withPaths(event, [...input.files], () => input.dispatchEvent(new Event('change', { bubbles: true })))
  }
  const onDrop = (event) => {
    const { target, clientX, clientY } = event
    const files = [...(event.dataTransfer?.files ?? [])]
    withPaths(event, files, () => {
      const dataTransfer = new DataTransfer()
      for (const file of files) dataTransfer.items.add(file)
      target.dispatchEvent(
        new DragEvent('drop', { bubbles: true, cancelable: true, composed: true, clientX, clientY, dataTransfer }),
      )
    })
  }
  addEventListener('change', onChange, true)
  addEventListener('drop', onDrop, true)
  const webUtils = { getPathForFile: (file) => paths.get(keyOf(file)) ?? '' }

  // Electron zooms in the browser; here the page is drawn larger.
  let zoomFactor = 1
  const drawZoom = () => document.documentElement?.style.setProperty('zoom', String(zoomFactor))
  addEventListener('DOMContentLoaded', () => zoomFactor !== 1 && drawZoom())
  const webFrame = {
    getZoomFactor: () => zoomFactor,
    setZoomFactor(factor) {
      if (factor === zoomFactor) return
      zoomFactor = factor
      drawZoom()
    },
  }

  const deliver = (message) => {
    if (message.kind === 'paths') return onPaths(message)
    if (message.kind === 'event') {
      const event = { sender: ipcRenderer, ports: [] }
      for (const listener of listeners.get(message.channel) ?? []) listener(event, ...message.args.map(decode))
      return
    }
    const call = calls.get(message.id)
    calls.delete(message.id)
    if (message.error === undefined) call?.resolve(decode(message.value))
    else call?.reject(new Error(`Error invoking remote method '${message.channel}': ${message.error}`))
  }
  Object.defineProperty(window, '__standinDeliver', { value: deliver })

  // As in Electron, functions that cross are proxied, and objects are copied and frozen.
  const isPlain = (value) => value && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
  const bridged = (value) => {
    if (typeof value === 'function') {
      return (...args) => {
        const result = value(...args)
        return result instanceof Promise ? result.then(bridged) : bridged(result)
      }
    }
    if (!isPlain(value)) return value
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, bridged(item)])))
  }
  const contextBridge = {
    exposeInMainWorld(key, api) {
      if (key in window) throw new Error('Cannot bind an API on top of an existing property on the window object')
      Object.defineProperty(window, key, { value: bridged(api), enumerable: true })
    },
  }

  // window.open and target=_blank ask setWindowOpenHandler; the page itself opens nothing.
  window.open = (url = '', frameName = '', features = '') => {
    post({ kind: 'open', url: new URL(url, location.href).href, frameName, features })
    return null
  }
  addEventListener('click', (event) => {
    const link = event.target?.closest?.('a[target=_blank][href]')
    if (!link || event.defaultPrevented) return
    event.preventDefault()
    window.open(link.href)
  })

  const require = (name) => {
    if (name === 'electron' || name === 'electron/renderer') return { ipcRenderer, contextBridge, webFrame, webUtils }
    throw new Error(`module not found: ${name} (sandboxed preload)`)
  }
  const module = { exports: {} }
  const process = { platform: __PLATFORM__, versions: __VERSIONS__, argv: __ARGUMENTS__, env: {}, type: 'renderer' }
  // oxlint-disable-next-line no-unused-vars -- the preload that is put here names them
  ;((require, module, exports, process) => {
    // oxlint-disable-next-line no-unused-expressions -- see above
    __PRELOAD__
  })(require, module, module.exports, process)
})()
