import { createContext, use, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useEscape } from '../../lib/use-escape.ts';
import { useReturnFocus } from '../../lib/use-return-focus.ts';

/** Asked before a dialog closes by its cross, Escape, the backdrop or Cancel; `false` keeps it open. */
type CloseGuard = () => Promise<boolean>;

interface DialogLayer {
  requestClose: () => void;
  setGuard: (guard: CloseGuard | null) => void;
}

const DialogLayerContext = createContext<DialogLayer | null>(null);
export const DialogLayerProvider = DialogLayerContext.Provider;

/** Behavior shared by dialogs and drawers: closing, close guards, and focus afterwards. */
export function useDialogLayer(isOpen: boolean, onClose: () => void): DialogLayer {
  const guard = useRef<CloseGuard | null>(null);
  const isAsking = useRef(false);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });

  const layer = useMemo<DialogLayer>(() => {
    const askThenClose = async () => {
      if (isAsking.current) return;
      isAsking.current = true;
      const mayClose = (await guard.current?.()) ?? true;
      isAsking.current = false;
      if (mayClose) close.current();
    };
    return {
      requestClose: () => void askThenClose(),
      setGuard: (next) => {
        guard.current = next;
      },
    };
  }, []);

  useEscape(isOpen, layer.requestClose);
  useReturnFocus(isOpen);
  return layer;
}

/** Closes the dialog around, as its cross would; nothing outside of one. */
export function useDialogClose(): (() => void) | undefined {
  return use(DialogLayerContext)?.requestClose;
}

/** Registers a guard that may keep the surrounding dialog open. */
export function useCloseGuard(guard: CloseGuard): void {
  const layer = use(DialogLayerContext);
  const ask = useEffectEvent(guard);
  useEffect(() => {
    layer?.setGuard(() => ask());
    return () => layer?.setGuard(null);
  }, [layer]);
}
