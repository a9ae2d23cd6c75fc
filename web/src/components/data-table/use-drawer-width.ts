import { useLocalStorage } from '@mantine/hooks';

export const drawerWidthsPx = { min: 480, usual: 520, max: 720 };

export interface DrawerWidth {
  px: number;
  set: (widthPx: number) => void;
  /** Between narrow and wide, for those who do not drag. */
  toggle: () => void;
}

/** How wide details are, remembered by the browser. */
export function useDrawerWidth(): DrawerWidth {
  const [stored, setStored] = useLocalStorage({
    key: 'sluice-drawer-width',
    defaultValue: drawerWidthsPx.usual,
    getInitialValueInEffect: false,
    serialize: String,
    deserialize: (text) => clamp(Number(text) || drawerWidthsPx.usual),
  });
  return {
    px: stored,
    set: (widthPx) => setStored(clamp(widthPx)),
    toggle: () => setStored(stored < drawerWidthsPx.max ? drawerWidthsPx.max : drawerWidthsPx.min),
  };
}

function clamp(widthPx: number): number {
  return Math.round(Math.min(Math.max(widthPx, drawerWidthsPx.min), drawerWidthsPx.max));
}
