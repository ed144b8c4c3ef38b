import type { RouteObject } from 'react-router'

export const executorRoutes: RouteObject[] = []
