import {
  localStorageColorSchemeManager,
  type MantineColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useEffect } from 'react';
import { useRemembered } from './remembered.ts';

// The script in index.html reads these keys, too.
export const themeManager = localStorageColorSchemeManager({ key: 'sluice-theme' });

export const themes = ['light', 'dark', 'auto'] as const satisfies readonly MantineColorScheme[];
export type Theme = (typeof themes)[number];

/** How high a table's row is: 28, 36 or 44 pixels, as `--row-height`. */
export const densities = ['regular', 'compact', 'roomy'] as const;
export type Density = (typeof densities)[number];

export function useTheme(): [Theme, (theme: Theme) => void] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return [colorScheme, setColorScheme];
}

export const useDensity = () => useRemembered('density', densities);

/** Keeps the page as dense as was chosen, here or in another tab. */
export function useChosenDensity(): void {
  const [density] = useDensity();
  useEffect(() => {
    document.documentElement.dataset.density = density;
  }, [density]);
}
