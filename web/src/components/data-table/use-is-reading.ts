import { useSyncExternalStore } from 'react';

const scrolledFromPx = 120;

/** Whether somebody reads further down, or has marked some text. */
export function useIsReading(): boolean {
  return useSyncExternalStore(subscribe, () => window.scrollY > scrolledFromPx || hasMarkedText());
}

function hasMarkedText(): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.toString().trim() !== '';
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('selectionchange', onChange);
  window.addEventListener('scroll', onChange, { passive: true });
  return () => {
    document.removeEventListener('selectionchange', onChange);
    window.removeEventListener('scroll', onChange);
  };
}
