import { createContext, use, useEffect, useEffectEvent, useMemo, useRef } from 'react';

const handlers: (() => void)[] = [];

/** While active, Escape calls back, but only what was opened last: a question over a dialog closes alone. */
function useEscape(isActive: boolean, onEscape: () => void): void {
  const handleEscape = useEffectEvent(onEscape);

  useEffect(() => {
    if (!isActive) return;
    const handler = () => handleEscape();
    if (handlers.push(handler) === 1) window.addEventListener('keydown', callLast, { capture: true });
    return () => {
      handlers.splice(handlers.indexOf(handler), 1);
      if (handlers.length === 0) window.removeEventListener('keydown', callLast, { capture: true });
    };
  }, [isActive]);
}

function callLast(event: KeyboardEvent): void {
  // Mantine marks the opener of an open menu or list so: the key closes that first.
  const isMeantForList =
    event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true';
  if (event.key === 'Escape' && !event.isComposing && !isMeantForList) handlers.at(-1)?.();
}

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

/** How what floats appears and goes: 120 ms in, 80 ms out; Mantine drops it where people want no motion. */
export const floatMotion = {
  transition: 'fade',
  duration: 120,
  exitDuration: 80,
  timingFunction: 'ease-out',
} as const;

/** Returns focus to the previously focused element when a layer closes, unless focus has moved elsewhere. */
function useReturnFocus(isOpen: boolean): void {
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
