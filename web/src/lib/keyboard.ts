import { useEffect } from 'react';
import { useRemembered } from './remembered.ts';

const typedInto =
  'textarea, select, [contenteditable=""], [contenteditable="true"], [role="combobox"], [role="menu"], [data-holds-keys], input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"])';

/** Whether single-key shortcuts are enabled. Users of speech input turn them off (WCAG 2.1.4). */
export const useSingleKeys = () => useRemembered('single-keys', ['on', 'off']);

/**
 * Calls `listener` for single-key shortcuts. Ignores keys while the user types, while a dialog is open, and while the
 * shortcuts are disabled.
 */
export function useSingleKey(listener: (event: KeyboardEvent) => void): void {
  const [choice] = useSingleKeys();
  useEffect(() => {
    if (choice === 'off') return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (isFree(event)) listener(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [choice, listener]);
}

function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const isTyping = event.target instanceof Element && event.target.closest(typedInto) !== null;
  return !isTyping && document.querySelector('[aria-modal="true"]') === null;
}

export const modifierKey = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl';
