import type { RouteObject } from 'react-router'

export const taskRoutes: RouteObject[] = []
