/** How many pixels of the page one of the element’s own takes: on a wall, dashboards are drawn larger. */
export const scaleOf = (element: HTMLElement): number =>
  element.offsetWidth === 0 ? 1 : element.getBoundingClientRect().width / element.offsetWidth
