import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Backup } from '../../src/contract/backups.ts'
import type { Answer, TestServer } from '../support/server.ts'
import type { RefusalStage } from './refusals.ts'
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'

const superadmins = new WeakMap<TestServer, ReturnType<TestServer['as']>>()
function superadminOf(server: TestServer) {
  const known = superadmins.get(server) ?? server.as('superadmin')
  superadmins.set(server, known)
  return known
}
async function made(server: TestServer): Promise<string> {
  const answer = await send(superadminOf(server), 'createBackup')
  return (answer.body as Backup).name
}
/** As in a process that serves; what would follow is tried with real processes elsewhere. */
async function restartable(
  server: TestServer,
  request: () => Promise<Answer>,
  check = async () => {},
): Promise<Answer> {
  const { restarter } = server.platform
  restarter.current = { check, restart() {} }
  try {
    return await request()
  } finally {
    restarter.current = null
  }
}
const broken = () => Promise.reject(new Error('config.yaml:1:1 is wrong'))

/** With a file where the folder of backups should be. */
async function withoutFolder(server: TestServer): Promise<Answer> {
  const { backup } = server.platform.config
  const file = join(server.dataDir, 'no-folder')
  writeFileSync(file, '')
  backup.folder = file
  try {
    return await send(superadminOf(server), 'createBackup')
  } finally {
    backup.folder = null
  }
}

/** The answer that was refused, of two requests at once. */
async function refusedOf(first: Promise<Answer>, second: Promise<Answer>): Promise<Answer> {
  const answers = await Promise.all([first, second])
  return answers.find(({ status }) => status >= 400) ?? answers[0]
}

const unknown = { params: { name: 'unknown.db' } }

export const backupSuccesses = {
  listBackups: async ({ live }: Stage) => {
    await made(live.server)
    return send(superadminOf(live.server), 'listBackups', { query: { limit: 1 } })
  },
  createBackup: ({ live }: Stage) => send(superadminOf(live.server), 'createBackup'),
  downloadBackup: async ({ live }: Stage) =>
    send(superadminOf(live.server), 'downloadBackup', { params: { name: await made(live.server) } }),
  deleteBackup: async ({ live }: Stage) =>
    send(superadminOf(live.server), 'deleteBackup', { params: { name: await made(live.server) } }),
  restoreBackup: async ({ live: { server } }: Stage) => {
    const body = { name: await made(server), dry_run: true }
    return restartable(server, () => send(superadminOf(server), 'restoreBackup', { body }))
  },
  restartServer: ({ live: { server } }: Stage) =>
    restartable(server, () => send(superadminOf(server), 'restartServer')),
}

export const backupRefusals = {
  createBackup: {
    CONFLICT: ({ live: { server } }: RefusalStage) =>
      refusedOf(send(superadminOf(server), 'createBackup'), send(superadminOf(server), 'createBackup')),
    UNAVAILABLE: ({ live: { server } }: RefusalStage) => withoutFolder(server),
  },
  downloadBackup: {
    NOT_FOUND: ({ live: { server } }: RefusalStage) => send(superadminOf(server), 'downloadBackup', unknown),
  },
  deleteBackup: {
    NOT_FOUND: ({ live: { server } }: RefusalStage) => send(superadminOf(server), 'deleteBackup', unknown),
    async CONFLICT({ live: { server } }: RefusalStage) {
      const name = await made(server)
      return refusedOf(
        send(superadminOf(server), 'createBackup'),
        send(superadminOf(server), 'deleteBackup', { params: { name } }),
      )
    },
  },
  restoreBackup: {
    NOT_FOUND: ({ live: { server } }: RefusalStage) =>
      send(superadminOf(server), 'restoreBackup', { body: { name: 'unknown.db' } }),
    async INVALID_STATE({ live: { server } }: RefusalStage) {
      const body = { name: await made(server) }
      return restartable(server, () => send(superadminOf(server), 'restoreBackup', { body }), broken)
    },
    async CONFLICT({ live: { server } }: RefusalStage) {
      const body = { name: await made(server), dry_run: true }
      return refusedOf(
        send(superadminOf(server), 'createBackup'),
        send(superadminOf(server), 'restoreBackup', { body }),
      )
    },
    async UNAVAILABLE({ live: { server } }: RefusalStage) {
      return send(superadminOf(server), 'restoreBackup', { body: { name: await made(server) } })
    },
  },
  restartServer: {
    INVALID_STATE: ({ live: { server } }: RefusalStage) =>
      restartable(server, () => send(superadminOf(server), 'restartServer'), broken),
    UNAVAILABLE: ({ live: { server } }: RefusalStage) => send(superadminOf(server), 'restartServer'),
  },
}
