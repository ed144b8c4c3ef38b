export const docs = {
  title: 'Documentation',
  pages: 'Pages of the documentation',
  onThisPage: 'On this page',
  turn: 'Pages before and after this one',
  before: 'Before',
  next: 'Next',
  missing: {
    title: 'There is no such page',
    text: 'The documentation has no page “{{page}}”. Search for what you need, or begin at the front.',
    action: 'Open the first page',
  },
  search: {
    label: 'Search the documentation',
    placeholder: 'Search',
    command: 'Search the documentation',
    results_one: '{{count, number}} place',
    results_other: '{{count, number}} places',
    nothing: 'Nothing is found for “{{query}}”',
    nothingText: 'Try fewer words, the name of a key such as depends_on, or an error code.',
    loading: 'Searching …',
  },
} as const
