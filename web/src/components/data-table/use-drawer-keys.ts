import { type RefObject, useEffect } from 'react';
import { isKeyForList } from './row-keys.ts';
import { useStable } from './use-stable.ts';

interface DrawerActs {
  close: () => void;
  showPrevious: () => void;
  showNext: () => void;
}

/** Escape closes the drawer from wherever nothing else hears it; `j` and `k` count inside, since the list hears its own. */
export function useDrawerKeys(drawer: RefObject<HTMLElement | null>, acts: DrawerActs): void {
  const handle = useStable((event: KeyboardEvent) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const isInside = drawer.current?.contains(target) ?? false;
    const isOnPage = target.closest('[role="dialog"], [role="menu"], [role="listbox"]') === null;
    if (event.key === 'Escape' && !event.defaultPrevented && (isInside || isOnPage)) acts.close();
    if (!isInside || !isKeyForList(event)) return;
    if (event.key === 'j') acts.showNext();
    if (event.key === 'k') acts.showPrevious();
  });

  useEffect(() => {
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, [handle]);
}
