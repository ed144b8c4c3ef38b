export const docs = {
  title: 'Documentation',
  pages: 'Documentation pages',
  language: 'The documentation is in English.',
  onThisPage: 'On this page',
  turn: 'Previous and next page',
  before: 'Previous',
  next: 'Next',
  missing: {
    title: 'Page not found',
    text: 'The documentation has no page “{{page}}”. Search the documentation or open the first page.',
    action: 'Open the first page',
  },
  search: {
    label: 'Search the documentation',
    placeholder: 'Search',
    command: 'Search the documentation',
    results_one: '{{count, number}} result',
    results_other: '{{count, number}} results',
    nothing: 'No results for “{{query}}”',
    nothingText: 'Try fewer words, a key such as depends_on, or an error code.',
    loading: 'Searching…',
  },
} as const
