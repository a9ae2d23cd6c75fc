import { useCallback, useState } from 'react';

/** Returns the open dialog of a page and its subject, a function to open a dialog, and the props of each dialog. */
export function useDialogs<Kind extends string, Subject>() {
  const [{ kind, about }, setDialog] = useState<{ kind: Kind | null; about: Subject | null }>({
    kind: null,
    about: null,
  });
  const open = useCallback(
    (opened: Kind, subject: Subject | null = null) => setDialog({ kind: opened, about: subject }),
    [],
  );
  // The subject stays set while the dialog fades out.
  const close = useCallback(() => setDialog((before) => ({ ...before, kind: null })), []);
  return {
    about,
    isOpen: kind !== null,
    open,
    propsOf: (asked: Kind) => ({ isOpen: kind === asked, onClose: close }),
  };
}
