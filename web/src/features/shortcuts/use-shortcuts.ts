import { useRouter } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { useSidebar } from '#components/layout/sidebar.tsx';
import type { Screens } from '#components/layout/use-screens.ts';
import { useSingleKey } from '#lib/keyboard.ts';

/** Maximum delay in milliseconds between `g` and the letter after it. */
const waitMs = 1500;

interface Shortcuts {
  screens: Screens;
  onOpenSheet: () => void;
}

/** The shortcut list must name the same shortcuts. */
export function useShortcuts({ screens, onOpenSheet }: Shortcuts): void {
  const router = useRouter();
  const { toggle } = useSidebar();
  const waitsUntil = useRef(0);

  useSingleKey(
    useCallback(
      (event: KeyboardEvent) => {
        const isLetterOfG = event.timeStamp < waitsUntil.current;
        waitsUntil.current = 0;
        const screen = isLetterOfG
          ? [...screens.sidebar, ...screens.menu].find(({ letter }) => letter === event.key)
          : undefined;
        if (screen) void router.navigate({ to: screen.path });
        else if (event.key === 'g') waitsUntil.current = event.timeStamp + waitMs;
        else if (event.key === '?') onOpenSheet();
        else if (event.key === '[') toggle();
        else if (event.key !== '/' || !focusSearch()) return;
        event.preventDefault();
      },
      [router, screens, toggle, onOpenSheet],
    ),
  );
}

/** Returns `false` if the page has no search field. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}
