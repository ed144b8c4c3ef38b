// Loaded first in children of utilityProcess.fork: `process.parentPort` over the channel of child_process, which hides.
const { EventEmitter } = require('node:events')
const { isMainThread } = require('node:worker_threads')

function hideChannel() {
  const send = process.send.bind(process)
  const port = new EventEmitter()
  port.postMessage = (data) => send({ data })
  port.start = () => {}
  process.on('message', ({ data }) => port.emit('message', { data, ports: [] }))
  // Electron ends its utility processes when main is gone.
  process.on('disconnect', () => process.exit(0))
  delete process.send
  Object.defineProperty(process, 'parentPort', { value: port })
  Object.defineProperty(process, 'type', { value: 'utility' })
}

// Threads of such a process load this as well, and have no channel.
if (isMainThread) hideChannel()
