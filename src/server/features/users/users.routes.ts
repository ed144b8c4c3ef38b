import type { FastifyInstance } from 'fastify'
import {
  createUser,
  deleteUser,
  getOwnUser,
  getUser,
  listUsers,
  resetUserTotp,
  updateOwnUser,
  updateUser,
} from '../../../contract/users.ts'
import { recordRoute, route } from '../../platform/http.ts'
import type { UserAdminService } from './user-admin.service.ts'
import type { UsersService } from './users.service.ts'

export function registerUsersRoutes(app: FastifyInstance, users: UsersService, admin: UserAdminService): void {
  const { streams } = app.headgate

  route(app, listUsers, ({ query }) => admin.list(query))
  route(app, createUser, async ({ body, caller, etag }) => {
    const user = await admin.create(body, caller)
    etag(users.etag(user.id))
    return user
  })
  recordRoute(
    app,
    getOwnUser,
    ({ caller }) => users.get(caller.user_id),
    ({ caller }) => users.etag(caller.user_id),
  )
  route(app, updateOwnUser, ({ body, caller, ifMatch, etag }) => {
    const user = admin.updateOwn(body, caller, ifMatch)
    etag(users.etag(user.id))
    return user
  })
  recordRoute(
    app,
    getUser,
    ({ params }) => users.get(params.id),
    ({ params }) => users.etag(params.id),
  )
  route(app, updateUser, async ({ params, body, caller, ifMatch, etag }) => {
    const { user, cutOff } = await admin.update(params.id, body, caller, ifMatch)
    if (cutOff) streams.revokeUser(user.id)
    etag(users.etag(user.id))
    return user
  })
  route(app, deleteUser, ({ params, caller }) => {
    admin.remove(params.id, caller)
    streams.revokeUser(params.id)
    return { success: true }
  })
  route(app, resetUserTotp, ({ params, caller }) => {
    admin.resetTotp(params.id, caller)
    streams.revokeUser(params.id)
    return { success: true }
  })
}
