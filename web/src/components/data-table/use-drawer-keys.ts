import { type RefObject, useEffect } from 'react';
import { isKeyForList } from './row-keys.ts';
import { useStable } from './use-stable.ts';

interface DrawerActions {
  close: () => void;
  showPrevious: () => void;
  showNext: () => void;
}

/** Closes the drawer on Escape, unless something else handles it; `j` and `k` apply inside, since the list handles its own. */
export function useDrawerKeys(drawer: RefObject<HTMLElement | null>, actions: DrawerActions): void {
  const handle = useStable((event: KeyboardEvent) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const isInside = drawer.current?.contains(target) ?? false;
    const isOnPage = target.closest('[role="dialog"], [role="menu"], [role="listbox"]') === null;
    if (event.key === 'Escape' && !event.defaultPrevented && (isInside || isOnPage)) actions.close();
    if (!isInside || !isKeyForList(event)) return;
    if (event.key === 'j') actions.showNext();
    if (event.key === 'k') actions.showPrevious();
  });

  useEffect(() => {
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, [handle]);
}
