import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const fjord: MantineColorsTuple = [
  '#eff6fb',
  '#dbe9f3',
  '#b4d0e5',
  '#8ab6d7',
  '#689fca',
  '#4f8fc1',
  '#2f78b0',
  '#23669a',
  '#1b5482',
  '#123f64',
]
/** Cool greys without glare, for all-day reading. */
const dark: MantineColorsTuple = [
  '#e3e6ea',
  '#c3c9d0',
  '#a3abb5',
  '#7d8794',
  '#4d5661',
  '#3a424c',
  '#2a3038',
  '#1f242b',
  '#181c22',
  '#12151a',
]

/** Its darker shades have white text. */
const red: MantineColorsTuple = [
  '#fdf0f0',
  '#f9dcdc',
  '#f1b8b8',
  '#e88f8f',
  '#dd6b6b',
  '#d34f4f',
  '#c53030',
  '#b42323',
  '#961c1c',
  '#7a1717',
]

const transition = { transitionProps: { duration: 90 } }

export const theme = createTheme({
  primaryColor: 'fjord',
  primaryShade: { light: 7, dark: 6 },
  colors: { fjord, dark, red },
  fontFamily:
    '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "Segoe UI Mono", "Liberation Mono", monospace',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
  fontSizes: { xs: '0.75rem', sm: '0.8438rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '0.9375rem' } },
  },
  components: {
    // Its heading is a `header` element, which outside of a section would count as the page's own.
    Modal: {
      defaultProps: { ...transition, centered: true, attributes: { header: { role: 'presentation' } } },
    },
    Drawer: { defaultProps: transition },
    // Opened, it has the focus on its first item. An element before the items would be no item of a menu.
    Menu: {
      defaultProps: {
        ...transition,
        position: 'bottom-end',
        shadow: 'md',
        withInitialFocusPlaceholder: false,
      },
    },
    Popover: { defaultProps: { ...transition, shadow: 'md' } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } },
    // Its list opens by a press, an arrow key or typing: the focus alone passes it.
    Select: { defaultProps: { openOnFocus: false, comboboxProps: { transitionProps: { duration: 0 } } } },
  },
})

/** Mantine's own greys and reds miss a contrast of 4.5:1 on our backgrounds (WCAG 2.2, 1.4.3). */
export const resolveColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#59626d',
    '--mantine-color-placeholder': '#656e79',
    '--mantine-color-error': '#b42323',
    '--mantine-color-anchor': '#1b5482',
    '--mantine-color-yellow-light-color': '#6b4700',
    '--mantine-color-teal-light-color': '#0b5c45',
    '--mantine-color-red-light-color': '#961c1c',
    '--fordra-ground': '#f6f8fa',
    '--fordra-line': '#dfe4ea',
    '--fordra-hover': '#f0f5f9',
  },
  dark: {
    '--mantine-color-body': '#181c22',
    '--mantine-color-dimmed': '#a3abb5',
    '--mantine-color-placeholder': '#98a1ac',
    '--mantine-color-error': '#ff9a9a',
    '--mantine-color-anchor': '#8ab6d7',
    // Mantine's own are darker than their background.
    '--mantine-color-fjord-light': '#1c3a55',
    '--mantine-color-fjord-light-hover': '#234666',
    '--mantine-color-gray-light': '#2f363f',
    '--mantine-color-gray-light-hover': '#3a424c',
    '--fordra-ground': '#12151a',
    '--fordra-line': '#2f363f',
    '--fordra-hover': '#21272f',
  },
})
