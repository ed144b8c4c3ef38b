export const graph = {
  label: 'Graph of {{count, number}} tasks. Arrow keys follow the edges, Enter selects',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Fit to view',
  right: 'Left to right',
  down: 'Top to bottom',
  map: 'Minimap',
  gate: 'Gate',
  task: 'Task',
  waiting: 'Laying out graph…',
  failed: 'Couldn’t lay out the graph',
} as const
