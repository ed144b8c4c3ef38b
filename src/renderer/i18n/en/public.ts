/** Words of the page of a public link. */
export { dashboards } from './dashboards.ts'
export { publicPage } from './public-page.ts'
export { ui } from './ui.ts'
