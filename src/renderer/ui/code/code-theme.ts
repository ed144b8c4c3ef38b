import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { expressionTokens } from './jsonata-language.ts'

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.definition(tags.propertyName), color: 'var(--code-key)' },
  { tag: [tags.string, tags.content], color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null, tags.keyword, tags.typeName], color: 'var(--code-literal)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.special(tags.variableName)], color: 'var(--code-key)' },
  { tag: tags.regexp, color: 'var(--code-string)' },
  {
    tag: [tags.operator, tags.punctuation, tags.separator, tags.squareBracket, tags.brace],
    color: 'var(--code-punctuation)',
  },
  { tag: [tags.meta, tags.labelName], color: 'var(--code-comment)' },
])

/** The icon of a problem beside its line, in the colour of its status: a mask, for a picture knows no variables. */
const marker = (tone: 'failed' | 'warning' | 'running', path: string) => {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='#000' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'><path d='${path}'/></svg>`
  return {
    content: 'normal',
    backgroundColor: `var(--hg-status-${tone}-mark)`,
    mask: `url("data:image/svg+xml,${encodeURIComponent(svg)}") center / contain no-repeat`,
  }
}

/** Colours come from CSS variables, so one theme serves light and dark and nothing is rebuilt on a switch. */
const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '12px', backgroundColor: 'transparent', color: 'var(--hg-text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '18px', overflow: 'auto' },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--hg-text)' },
  '.cm-line': { padding: '0 10px 0 6px' },
  // Opaque: long lines scroll below the numbers.
  '.cm-gutters': {
    backgroundColor: 'var(--hg-surface)',
    color: 'var(--code-gutter)',
    border: 'none',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 10px', minWidth: '28px' },
  '.cm-foldGutter .cm-gutterElement': { width: '12px', cursor: 'pointer' },
  '.cm-activeLine': { backgroundColor: 'var(--code-active-line)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--hg-text)' },
  // What is only read has no line that is being edited.
  '&:not(.cm-focused) .cm-content[contenteditable="false"] .cm-activeLine': { backgroundColor: 'transparent' },
  '&:not(.cm-focused):has(.cm-content[contenteditable="false"]) .cm-activeLineGutter': { color: 'inherit' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--code-selection)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--code-selection)' },
  '.cm-cursor': { borderLeftColor: 'var(--hg-text)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--code-gutter)',
  },
  '.cm-foldPlaceholder': {
    backgroundColor: 'transparent',
    border: '1px solid var(--hg-line)',
    color: 'var(--code-comment)',
    padding: '0 4px',
  },
  '.cm-expression': { color: 'var(--code-expression)' },
  '.cm-expression *': { color: 'inherit' },
  '.cm-expression .cm-expression-string': { color: 'var(--code-string)' },
  '.cm-expression .cm-expression-number': { color: 'var(--code-number)' },
  '.cm-expression .cm-expression-literal': { color: 'var(--code-literal)' },
  '.cm-expression .cm-expression-comment': { color: 'var(--code-comment)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--hg-surface-raised)',
    color: 'var(--hg-text)',
    border: '1px solid var(--hg-line)',
    borderRadius: '4px',
    boxShadow: 'var(--mantine-shadow-md)',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '12px',
    maxWidth: '480px',
    zIndex: '320',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    maxHeight: '240px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '18px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--hg-accent)',
    color: 'var(--hg-on-accent)',
  },
  '.cm-completionDetail': { color: 'inherit', opacity: '0.7', fontStyle: 'normal', marginLeft: '12px' },
  // Letters, for the package's own signs are in few fonts.
  '.cm-completionIcon': { width: '1.2em', opacity: '0.6', fontSize: '11px' },
  '.cm-completionIcon-function::after': { content: '"ƒ"' },
  '.cm-completionIcon-keyword::after': { content: '"·"' },
  '.cm-completionIcon-column::after': { content: '"c"' },
  '.cm-completionIcon-resource::after': { content: '"t"' },
  '.cm-completionIcon-slot::after, .cm-completionIcon-argument::after, .cm-completionIcon-bind::after': {
    content: '":"',
  },
  '.cm-completionIcon-key::after, .cm-completionIcon-field::after': { content: '"k"' },
  '.cm-completionInfo': { padding: '8px 10px', lineHeight: '17px', width: '320px' },
  '.cm-diagnostic': { padding: '6px 10px', borderLeftWidth: '3px' },
  '.cm-diagnosticAction': {
    display: 'block',
    margin: '6px 0 0',
    padding: '2px 8px',
    border: '1px solid var(--hg-line-strong)',
    borderRadius: '4px',
    backgroundColor: 'var(--hg-surface-raised)',
    color: 'var(--hg-text)',
    font: 'inherit',
    fontWeight: '600',
    cursor: 'pointer',
  },
  '.cm-diagnosticAction:hover': { backgroundColor: 'var(--hg-surface-hover)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--hg-status-failed-mark)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--hg-status-warning-mark)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--hg-status-running-mark)' },
  // The package's own are shaded balls; these are the icons of the list of problems.
  '.cm-lint-marker': { padding: '0', width: '14px', height: '14px', forcedColorAdjust: 'none' },
  '.cm-lint-marker-error': marker('failed', 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M10 10l4 4m0-4l-4 4'),
  '.cm-lint-marker-warning': marker(
    'warning',
    'M12 9v4M10.4 3.6 2.2 17.1a1.9 1.9 0 0 0 1.6 2.9h16.4a1.9 1.9 0 0 0 1.6-2.9L13.6 3.6a1.9 1.9 0 0 0-3.2 0zM12 16h.01',
  ),
  '.cm-lint-marker-info': marker('running', 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 9h.01M11 12h1v4h1'),
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--hg-status-failed-mark)', backgroundImage: 'none' },
  '.cm-lintRange-warning': { textDecoration: 'underline wavy var(--hg-status-warning-mark)', backgroundImage: 'none' },
  '.cm-lintRange-info': { textDecoration: 'underline dotted var(--hg-status-running-mark)', backgroundImage: 'none' },
  '.cm-panels': {
    backgroundColor: 'var(--hg-surface-raised)',
    color: 'var(--hg-text)',
    borderColor: 'var(--hg-line)',
    fontFamily: 'var(--mantine-font-family)',
  },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { fontSize: '12px' },
  '.cm-textfield': {
    backgroundColor: 'var(--hg-surface-raised)',
    border: '1px solid var(--hg-line)',
    color: 'inherit',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--hg-surface-raised)',
    border: '1px solid var(--hg-line)',
    color: 'inherit',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--code-match)' },
  '.cm-searchMatch-selected': { outline: '1px solid var(--code-literal)' },
  '.cm-collapsedLines': {
    background: 'var(--code-active-line)',
    color: 'var(--code-comment)',
    fontFamily: 'var(--mantine-font-family)',
    padding: '2px 10px',
  },
  // The package's own sign is in few fonts.
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"⋯"', margin: '0 6px' },
  '.cm-changedLine': { backgroundColor: 'transparent' },
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--code-removed)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--code-added)' },
  '&.cm-merge-a .cm-changedText': { background: 'var(--code-removed-strong)' },
  '&.cm-merge-b .cm-changedText': { background: 'var(--code-added-strong)' },
  '&.cm-merge-a .cm-changedLineGutter': { background: 'var(--hg-status-failed-mark)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--hg-status-success-mark)' },
})

export const codeTheme: Extension = [theme, syntaxHighlighting(highlight), syntaxHighlighting(expressionTokens)]
