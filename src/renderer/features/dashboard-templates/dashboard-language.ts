import { type DashboardWorld, completeDashboard } from '../../../language/complete-dashboard.ts'
import { hoverDashboard } from '../../../language/hover-dashboard.ts'
import { type LiveWorld, languageIn } from '../../ui/code/template-language.ts'

/** Completion and hover of dashboard templates in what is known at that moment. */
export const dashboardLanguageIn = (live: () => LiveWorld<DashboardWorld>) =>
  languageIn({ complete: completeDashboard, hover: hoverDashboard }, live)

/** For texts that are only looked at. */
export const dashboardLanguage = dashboardLanguageIn(() => ({ world: {}, pending: () => null }))
