import { useEffect } from 'react';

/** Gives focus back to what had it before something opened, when that closes or goes; not when it was taken elsewhere. */
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
