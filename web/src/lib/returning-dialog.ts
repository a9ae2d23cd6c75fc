import { useCallback, useRef, useState } from 'react';

export interface ReturningDialog {
  isOpen: boolean;
  open: () => void;
  /** Shuts it because something was chosen, which takes the focus along. */
  close: () => void;
  /** Shuts it and gives the focus back to where it was. */
  dismiss: () => void;
}

export function useReturningDialog(): ReturningDialog {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<Element>(null);
  const open = useCallback(() => {
    opener.current = document.activeElement;
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  const dismiss = useCallback(() => {
    setOpen(false);
    // A menu's item is gone by now; the page is where its person was.
    const target = opener.current?.isConnected ? opener.current : document.querySelector('main');
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }, []);
  return { isOpen, open, close, dismiss };
}
