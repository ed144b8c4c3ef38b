// How the operations of users are brought to their answers.
import type { Answer } from '../support/server.ts'
import type { RefusalStage } from './refusals.ts'
import type { Stage } from './successes.ts'
import { type Request, send } from './support/send.ts'
import { type LiveWorld, newName } from './support/worlds.ts'

const newUser = (more: object = {}) => ({
  username: newName('user'),
  password: 'a password that nobody knows',
  role: 'viewer',
  display_name: 'Ada Lovelace',
  email: 'ada@example.com',
  ...more,
})
const make = ({ admin }: LiveWorld, more: object = {}) => send(admin, 'createUser', { body: newUser(more) })
/** The parameters of a user who cannot sign in: made without a costly hash. */
function made({ server }: LiveWorld): Request & { params: { id: number } } {
  const { id } = server.services.users.create({ username: newName('user'), role: 'viewer', passwordHash: null })
  return { params: { id } }
}
/** The parameters of the one who asks. */
const oneself = async ({ admin }: LiveWorld): Promise<Request> => {
  const { body } = await send(admin, 'getOwnUser')
  return { params: { id: (body as { id: number }).id } } // as the contract has it
}

export const userSuccesses = {
  listUsers: ({ live }: Stage) =>
    send(live.admin, 'listUsers', { query: { q: 'ADA', role: 'superadmin', sort: 'username' } }),
  createUser: ({ live }: Stage) => make(live),
  getUser: ({ live }: Stage) => send(live.admin, 'getUser', made(live)),
  updateUser: ({ live }: Stage) =>
    send(live.admin, 'updateUser', {
      ...made(live),
      body: { username: newName('renamed'), role: 'editor', display_name: 'Countess', email: null, disabled: true },
    }),
  deleteUser: ({ live }: Stage) => send(live.admin, 'deleteUser', made(live)),
  resetUserTotp: ({ live }: Stage) => send(live.admin, 'resetUserTotp', made(live)),
  getOwnUser: ({ live }: Stage) => send(live.editor, 'getOwnUser'),
  updateOwnUser: ({ live }: Stage) =>
    send(live.editor, 'updateOwnUser', { body: { display_name: 'Ed', email: 'ed@example.com' } }),
} satisfies Record<string, (stage: Stage) => Promise<Answer>>

export const userRefusals = {
  createUser: { CONFLICT: ({ live }: RefusalStage) => make(live, { username: 'ADA' }) },
  updateUser: {
    INVALID_STATE: async ({ live }: RefusalStage) =>
      send(live.admin, 'updateUser', { ...(await oneself(live)), body: { role: 'viewer' } }),
    CONFLICT: ({ live }: RefusalStage) =>
      send(live.admin, 'updateUser', { ...made(live), headers: { 'if-match': '"older"' }, body: { email: null } }),
  },
  deleteUser: {
    INVALID_STATE: async ({ live }: RefusalStage) => send(live.admin, 'deleteUser', await oneself(live)),
  },
  updateOwnUser: {
    CONFLICT: ({ live }: RefusalStage) =>
      send(live.admin, 'updateOwnUser', { headers: { 'if-match': '"older"' }, body: { email: null } }),
  },
}
/** Bodies that are right, for operations whose refusal comes later. */
export const userBodies = { updateUser: { email: null } }
