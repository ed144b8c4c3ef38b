import type { RouteObject } from 'react-router'

export const connectorRoutes: RouteObject[] = []
