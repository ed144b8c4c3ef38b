import Type from 'typebox'
import { NewPassword, User, Username } from './auth.ts'
import { IdParams, Nullable, SearchQuery, SortOrder, Success, listQuery, paginated } from './common.ts'
import { operation, ref } from './operation.ts'
import { roles } from './roles.ts'

const closed = { additionalProperties: false } as const
const trimmed = 'Trimmed; empty means none; no control characters'
const DisplayName = Nullable(Type.String({ maxLength: 200, description: trimmed }))
const Email = Nullable(Type.String({ maxLength: 320, description: trimmed, examples: ['ada@example.com'] }))
const Role = Type.Enum([...roles], { description: 'Below your own role, unless you are a superadmin' })

export const listUsers = operation({
  id: 'listUsers',
  method: 'GET',
  path: '/api/users',
  tag: 'Users',
  summary: 'List users',
  security: 'caller',
  query: listQuery({
    q: Type.Optional(SearchQuery),
    role: Type.Optional(Type.Enum([...roles])),
    disabled: Type.Optional(Type.Boolean()),
    sort: Type.Optional(Type.Enum(['id', 'username', 'last_login_at'])),
    order: Type.Optional(SortOrder),
  }),
  responses: { 200: paginated(ref(User)) },
  errors: ['VALIDATION_ERROR'],
})
export const createUser = operation({
  id: 'createUser',
  method: 'POST',
  path: '/api/users',
  tag: 'Users',
  summary: 'Create a user',
  description: 'The password must be changed at the first sign-in unless `password_change_required` is false.',
  security: 'caller',
  body: Type.Object(
    {
      username: Username,
      password: NewPassword,
      role: Role,
      display_name: Type.Optional(DisplayName),
      email: Type.Optional(Email),
      password_change_required: Type.Optional(Type.Boolean({ default: true })),
    },
    closed,
  ),
  responses: { 201: ref(User) },
  etag: true,
  errors: ['VALIDATION_ERROR', 'CONFLICT'],
})
export const getUser = operation({
  id: 'getUser',
  method: 'GET',
  path: '/api/users/{id}',
  tag: 'Users',
  summary: 'Get a user',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(User) },
  etag: true,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const updateUser = operation({
  id: 'updateUser',
  method: 'PUT',
  path: '/api/users/{id}',
  tag: 'Users',
  summary: 'Change a user',
  description:
    'Omitted fields keep their value. Unless you are a superadmin, you can’t change users with your own role or above (403). A new password ends all sessions of the user, and so does disabling the user. You can’t change your own role or disable yourself (400 INVALID_STATE), and you can change your own password only with changeOwnPassword. The last enabled superadmin must stay enabled and keep the role (400 INVALID_STATE).',
  security: 'caller',
  params: IdParams,
  body: Type.Object(
    {
      username: Type.Optional(Username),
      password: Type.Optional(NewPassword),
      role: Type.Optional(Role),
      display_name: Type.Optional(DisplayName),
      email: Type.Optional(Email),
      disabled: Type.Optional(Type.Boolean()),
      password_change_required: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  responses: { 200: ref(User) },
  etag: true,
  ifMatch: true,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE', 'CONFLICT'],
})
export const deleteUser = operation({
  id: 'deleteUser',
  method: 'DELETE',
  path: '/api/users/{id}',
  tag: 'Users',
  summary: 'Delete a user',
  description: 'Sessions and keys end immediately. What the user created is kept, with the user’s name.',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
})
export const resetUserTotp = operation({
  id: 'resetUserTotp',
  method: 'POST',
  path: '/api/users/{id}/reset-totp',
  tag: 'Users',
  summary: 'Reset a user’s two-factor authentication, so that a new app can be enrolled; the user’s sessions end',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const getOwnUser = operation({
  id: 'getOwnUser',
  method: 'GET',
  path: '/api/users/me',
  tag: 'Users',
  summary: 'Get your own account',
  security: 'caller',
  responses: { 200: ref(User) },
  etag: true,
  errors: [],
})
export const updateOwnUser = operation({
  id: 'updateOwnUser',
  method: 'PUT',
  path: '/api/users/me',
  tag: 'Users',
  summary: 'Change your own account',
  security: 'caller',
  body: Type.Object({ display_name: Type.Optional(DisplayName), email: Type.Optional(Email) }, closed),
  responses: { 200: ref(User) },
  etag: true,
  ifMatch: true,
  errors: ['VALIDATION_ERROR', 'CONFLICT'],
})
export const changeOwnPassword = operation({
  id: 'changeOwnPassword',
  method: 'POST',
  path: '/api/users/me/password',
  tag: 'Users',
  summary: 'Change your own password; your other sessions end and this one is replaced',
  security: 'caller',
  body: Type.Object(
    { current_password: Type.String({ minLength: 1, maxLength: 1024 }), new_password: NewPassword },
    closed,
  ),
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
})
