import {
  type CSSVariablesResolver,
  type MantineColorsTuple,
  createTheme,
  localStorageColorSchemeManager,
} from '@mantine/core'
import type { Contrast, Motion } from './looks.rules.ts'
import { highTokens } from './tokens-high.ts'
import { type Tokens, darkTokens, lightTokens, tokenVariables } from './tokens.ts'

/** Also read by public/color-scheme.js, before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'headgate.color-scheme' })

const accent: MantineColorsTuple = [
  '#e3f0f3',
  '#c6e2e9',
  '#9bcdd9',
  '#64c3d8',
  '#38a9c4',
  '#1790ad',
  '#16788f',
  '#0e6377',
  '#0a5263',
  '#07404e',
]

/** Mantine's dark greys, in the cool tone of the tokens. */
const dark: MantineColorsTuple = [
  '#e6eaed',
  '#c3cbd1',
  '#a3adb6',
  '#8c97a0',
  '#3b444c',
  '#2a3137',
  '#1e2429',
  '#15191d',
  '#101316',
  '#0b0d0f',
]

/**
 * `words` are what Mantine's own parts say to screen readers, in the language of the window; without `motion` nothing fades in
 * (Mantine itself asks the system alone); `shades` are an accent other than the product's own, ten of them.
 */
export const themeWith = (words: { close: string }, motion: Motion, shades?: readonly string[]) => {
  const fade = (duration: number) => (motion === 'full' ? duration : 0)
  return createTheme({
    primaryColor: 'accent',
    primaryShade: { light: 7, dark: 6 },
    // Ten, as its one maker gives them.
    colors: { accent: shades ? (shades as unknown as MantineColorsTuple) : accent, dark },
    fontFamily:
      '"Inter Variable", "Inter Metrics", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
    fontFamilyMonospace:
      '"JetBrains Mono Variable", ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace',
    // Pixels, not rem: rows that are virtual, widths of columns, the code editor and graphs are calculated in them. A larger root font
    // would let words outgrow their places; the zoom of page and app lets all of it grow together.
    fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '14px', xl: '16px' },
    lineHeights: { xs: '16px', sm: '18px', md: '20px', lg: '20px', xl: '24px' },
    spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
    radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
    headings: {
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '14px', lineHeight: '20px' },
        h2: { fontSize: '13px', lineHeight: '20px' },
        h3: { fontSize: '13px', lineHeight: '18px' },
      },
    },
    defaultRadius: 'sm',
    cursorType: 'pointer',
    focusRing: 'auto',
    respectReducedMotion: true,
    components: {
      // Two weights and two sizes of words, in forms as everywhere. Hints are below, so that fields of a row are in line.
      InputWrapper: {
        defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] },
        styles: {
          label: { fontSize: 13, lineHeight: '20px', fontWeight: 600, overflowWrap: 'anywhere' },
          description: { fontSize: 12, lineHeight: '16px', color: 'var(--hg-text-muted)' },
          error: { fontSize: 12, lineHeight: '16px' },
        },
      },
      InlineInput: {
        styles: {
          label: { fontSize: 13 },
          description: { fontSize: 12, lineHeight: '16px', color: 'var(--hg-text-muted)' },
        },
      },
      Input: { styles: { input: { fontSize: 13 } } },
      CloseButton: { defaultProps: { 'aria-label': words.close } },
      Button: { defaultProps: { size: 'xs' } },
      ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
      TextInput: { defaultProps: { size: 'xs' } },
      PasswordInput: { defaultProps: { size: 'xs' } },
      NumberInput: { defaultProps: { size: 'xs' } },
      Textarea: { defaultProps: { size: 'xs' } },
      Select: { defaultProps: { size: 'xs', checkIconPosition: 'right' } },
      MultiSelect: { defaultProps: { size: 'xs' } },
      TagsInput: { defaultProps: { size: 'xs' } },
      NativeSelect: { defaultProps: { size: 'xs' } },
      // A list of choices may hold nothing but choices: that there is none is one that cannot be taken.
      ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true, 'aria-selected': false } },
      Checkbox: { defaultProps: { size: 'xs' } },
      // What was chosen is read like any other word.
      Pill: { styles: { root: { fontSize: 12 } } },
      Radio: { defaultProps: { size: 'xs' } },
      Switch: { defaultProps: { size: 'xs' }, classNames: { track: 'hg-switch' } },
      // As high as a field beside it; the spare width of a wide one goes to all of its words alike.
      SegmentedControl: {
        defaultProps: { size: 'xs', withItemsBorders: false },
        styles: { root: { padding: 3 }, control: { flex: '1 1 auto' } },
      },
      // Warnings and failures have their own tints: the yellow and red of Mantine are loud in the dark.
      Alert: {
        vars: (_theme: unknown, { color }: { color?: string }) => ({
          root:
            color === 'yellow'
              ? {
                  '--alert-bg': 'var(--hg-status-warning-tint)',
                  '--alert-color': 'var(--hg-status-warning-text)',
                }
              : color === 'red'
                ? {
                    '--alert-bg': 'var(--hg-status-failed-tint)',
                    '--alert-color': 'var(--hg-status-failed-text)',
                  }
                : {},
        }),
      },
      Menu: {
        defaultProps: { shadow: 'md', radius: 'md', transitionProps: { duration: fade(80) } },
        // As wide as its entries with their keys, unless a name is longer than any window.
        styles: {
          dropdown: { maxWidth: 'min(480px, 100vw - 16px)' },
          item: { paddingBlock: 3 },
          itemLabel: { minWidth: 0 },
        },
      },
      Popover: { defaultProps: { transitionProps: { duration: fade(150) } } },
      Modal: {
        defaultProps: {
          radius: 'md',
          padding: 16,
          centered: true,
          // A low window has room for all of a long form.
          yOffset: 'min(5dvh, 16px)',
          // A click beside it would throw away what was typed; what only asks or shows says otherwise.
          closeOnClickOutside: false,
          // Gone at once: while it faded, the next shortcut would fall into it.
          transitionProps: { duration: fade(100), exitDuration: 0 },
          overlayProps: { backgroundOpacity: 0.35 },
        },
        // A long name breaks rather than pushes the button that closes out of the dialog.
        styles: { title: { minWidth: 0, overflowWrap: 'anywhere', fontSize: 15 } },
      },
    },
  })
}

/** Mantine's names for what the tokens say. */
const mantine = (tokens: Tokens) => ({
  '--mantine-color-body': tokens.surface,
  '--mantine-color-text': tokens.text,
  '--mantine-color-dimmed': tokens.textMuted,
  '--mantine-color-placeholder': tokens.textFaint,
  '--mantine-color-anchor': tokens.accentText,
  '--mantine-color-accent-light': tokens.surfaceSelected,
  '--mantine-color-accent-light-hover': tokens.surfaceSelected,
  '--mantine-color-accent-light-color': tokens.accentText,
  '--mantine-color-default': tokens.surfaceRaised,
  '--mantine-color-default-hover': tokens.surfaceHover,
  '--mantine-color-default-border': tokens.lineStrong,
  '--mantine-color-default-color': tokens.text,
  '--mantine-color-error': tokens.status.failed.text,
  '--mantine-color-disabled': tokens.surfaceSunken,
  '--mantine-color-disabled-color': tokens.textFaint,
})

/** Where Mantine's own palettes would fall short of 7:1. */
const mantineHigh = (tokens: Tokens) => ({
  '--mantine-color-accent-filled': tokens.accent,
  '--mantine-color-accent-filled-hover': tokens.accentHover,
  '--mantine-color-accent-outline': tokens.accentText,
  '--mantine-color-accent-outline-hover': tokens.surfaceHover,
  '--mantine-color-gray-light': tokens.surfaceHover,
  '--mantine-color-gray-light-hover': tokens.surfaceHover,
  '--mantine-color-gray-light-color': tokens.text,
  '--mantine-color-red-light': tokens.status.failed.tint,
  '--mantine-color-red-light-hover': tokens.status.failed.tint,
  '--mantine-color-red-light-color': tokens.status.failed.text,
  '--mantine-color-dimmed': tokens.textMuted,
})

const variablesOf = (tokens: Tokens) => ({
  ...tokenVariables(tokens),
  ...mantine(tokens),
  ...(tokens.patterned ? mantineHigh(tokens) : {}),
})

export interface SchemeTokens {
  light: Tokens
  dark: Tokens
}

let high: SchemeTokens | undefined

export const ownTokens: Readonly<Record<Contrast, SchemeTokens>> = {
  standard: { light: lightTokens, dark: darkTokens },
  // Worked out when it is first worn.
  get high() {
    return (high ??= highTokens())
  },
}

export const cssVariablesOf =
  (tokens: SchemeTokens): CSSVariablesResolver =>
  () => ({ variables: {}, light: variablesOf(tokens.light), dark: variablesOf(tokens.dark) })
