/** Roles, weakest first. */
export const roles = ['viewer', 'editor', 'admin', 'superadmin'] as const
export type Role = (typeof roles)[number]

/** Scopes an API key can be narrowed to. `rows`: agents also get rows and what may hold values of rows; only where it is named. */
export const scopes = ['read', 'run', 'write', 'admin', 'rows'] as const
export type Scope = (typeof scopes)[number]

export const atLeast = (role: Role, needed: Role) => roles.indexOf(role) >= roles.indexOf(needed)

/** Whether a role manages users of the role `other`: admins those below them, superadmins all. */
export const manages = (role: Role, other: Role) => role === 'superadmin' || (role === 'admin' && !atLeast(other, role))
