import { useCallback, useState } from 'react';

/** Returns the open dialog of a page and its subject, a function that opens a dialog, and the props of each dialog. */
export function useDialogs<Kind extends string, Subject>() {
  const [{ kind, about }, setDialog] = useState<{ kind: Kind | null; about: Subject | null }>({
    kind: null,
    about: null,
  });
  const open = useCallback(
    (opened: Kind, subject: Subject | null = null) => setDialog({ kind: opened, about: subject }),
    [],
  );
  // Keeps the subject, which the dialog still shows during the closing animation.
  const close = useCallback(() => setDialog((before) => ({ ...before, kind: null })), []);
  return {
    about,
    isOpen: kind !== null,
    open,
    propsOf: (asked: Kind) => ({ isOpen: kind === asked, onClose: close }),
  };
}
