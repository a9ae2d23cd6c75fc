import type { User } from '@sluice/contract';
import { useMemo, useState } from 'react';

type DialogKind = 'create' | 'invite' | 'edit' | 'block' | 'password' | 'api-key';

interface DialogState {
  kind: DialogKind | null;
  /** Outlives the closing, so that a dialog fades out with what it is about. */
  user: User | null;
}

/** Which of the dialogs is open, and about whom. */
export function useUserDialogs() {
  const [{ kind, user }, setState] = useState<DialogState>({ kind: null, user: null });
  const acts = useMemo(
    () => ({
      open: (opened: DialogKind, about: User | null = null) => setState({ kind: opened, user: about }),
      close: () => setState((before) => ({ ...before, kind: null })),
    }),
    [],
  );
  return {
    ...acts,
    kind,
    user,
    propsOf: (asked: DialogKind) => ({ isOpen: kind === asked, onClose: acts.close }),
  };
}
