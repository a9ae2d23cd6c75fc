import { localStorageColorSchemeManager, useMantineColorScheme } from '@mantine/core';
import { densities, type Theme } from '@sluice/contract';
import { useEffect } from 'react';
import { useRemembered } from './remembered.ts';

// The script in index.html also reads this key and the density key.
export const themeManager = localStorageColorSchemeManager({ key: 'sluice-theme' });

export function useTheme(): [Theme, (theme: Theme) => void] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const theme = colorScheme === 'auto' ? 'system' : colorScheme;
  return [theme, (next) => setColorScheme(next === 'system' ? 'auto' : next)];
}

/** Row height of tables: 28, 36 or 44 pixels, set as `--row-height`. */
export const useDensity = () => useRemembered('density', densities);

export function useChosenDensity(): void {
  const [density] = useDensity();
  useEffect(() => {
    document.documentElement.dataset.density = density;
  }, [density]);
}
