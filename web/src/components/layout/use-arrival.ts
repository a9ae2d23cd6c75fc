import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus to the heading of each page but the first, so that screen readers say where one has arrived. */
export function useArrival(main: RefObject<HTMLElement | null>): void {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const formerPathname = useRef(pathname);
  useEffect(() => {
    const hasMoved = formerPathname.current !== undefined && formerPathname.current !== pathname;
    formerPathname.current = pathname;
    if (!hasMoved) return;
    const heading = main.current?.querySelector<HTMLElement>('h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [pathname, main]);
}
