import { useEffect } from 'react';

/** Returns focus to the previously focused element when a layer closes, unless focus has moved elsewhere. */
export function useReturnFocus(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    const opener = document.activeElement;
    return () => {
      const focusedAtClose = document.activeElement;
      setTimeout(() => {
        const { activeElement, body } = document;
        const isUnmoved =
          activeElement === null || activeElement === body || activeElement === focusedAtClose;
        if (isUnmoved && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
}
