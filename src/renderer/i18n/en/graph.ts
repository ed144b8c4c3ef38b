export const graph = {
  label: 'Graph of {{count, number}} tasks: arrow keys move along the arrows, Enter chooses',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Show all',
  right: 'Point to the right',
  down: 'Point down',
  map: 'Map of the graph',
  gate: 'Gate',
  task: 'Task',
  waiting: 'Laying out the graph…',
  failed: 'The graph could not be laid out',
} as const
