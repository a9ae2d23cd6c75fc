import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver, Input } from '@mantine/core';

/** Colors and sizes come from styles/tokens.css. */
export const theme = createTheme({
  colors: {
    petrol: [
      '#e2f1f6',
      '#c9e4ee',
      '#a3d1e2',
      '#7ccbe2',
      '#4fb3d1',
      '#2a8fb0',
      '#0b6b8a',
      '#095a75',
      '#084a60',
      '#06222b',
    ],
    danger: [
      '#fce8e6',
      '#f8cfcb',
      '#f2aaa4',
      '#ea8078',
      '#de564d',
      '#cb372d',
      '#b3261e',
      '#931f18',
      '#731812',
      '#57121c',
    ],
    // Mantine's gray scale, mapped to the neutral tokens.
    gray: [
      '#f6f7f7',
      '#eef0f0',
      '#dde2e3',
      '#dde2e3',
      '#b5bfc2',
      '#768286',
      '#616e73',
      '#4d5a5f',
      '#2b3539',
      '#12181b',
    ],
    dark: [
      '#e8edee',
      '#a4b1b5',
      '#8a989d',
      '#6f7d82',
      '#2a3337',
      '#252d31',
      '#1d2427',
      '#0f1315',
      '#161b1e',
      '#0b0e0f',
    ],
  },
  primaryColor: 'petrol',
  primaryShade: { light: 6, dark: 4 },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  defaultRadius: 'var(--radius-control)',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
  },
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    const isPrimary = input.variant === 'filled' && input.color === 'petrol';
    return isPrimary ? { ...colors, color: 'var(--on-accent)' } : colors;
  },
});

const neutrals = {
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-body': 'var(--bg)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--faint)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-success': 'var(--ok)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--bg)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-disabled': 'var(--bg)',
  '--mantine-color-disabled-color': 'var(--faint)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-color-petrol-filled': 'var(--accent)',
  '--mantine-color-petrol-filled-hover': 'var(--accent-strong)',
  '--mantine-color-petrol-light': 'var(--soft)',
  '--mantine-color-petrol-light-hover': 'var(--soft)',
  '--mantine-color-petrol-light-color': 'var(--accent)',
  '--mantine-color-petrol-text': 'var(--accent)',
  '--mantine-color-danger-filled': 'var(--danger)',
  '--mantine-color-danger-filled-hover': 'var(--danger-strong)',
};

export const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: neutrals,
  dark: neutrals,
});
