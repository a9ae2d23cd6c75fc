import { createContext, use, useEffect, useEffectEvent, useMemo, useRef } from 'react';

const handlers: (() => void)[] = [];

/** Calls `onEscape` while the layer is active and on top, so that a confirmation closes before the dialog below it. */
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
  // Mantine marks the button of an open menu with this attribute. Escape closes the menu before the dialog.
  const isMeantForList =
    event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true';
  if (event.key === 'Escape' && !event.isComposing && !isMeantForList) handlers.at(-1)?.();
}

/** Called before a dialog closes by its close button, Escape, the backdrop or Cancel. `false` keeps the dialog open. */
type CloseGuard = () => Promise<boolean>;

interface DialogLayer {
  requestClose: () => void;
  setGuard: (guard: CloseGuard | null) => void;
}

const DialogLayerContext = createContext<DialogLayer | null>(null);
export const DialogLayerProvider = DialogLayerContext.Provider;

/** Shared behavior of dialogs and drawers: closing, close guards and focus restoration. */
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

export const modal = '[role="dialog"][aria-modal="true"]';

/** Focuses a field that appears in an open dialog, unless the user has moved the focus within the dialog. */
export function focusInDialog(field: HTMLElement): void {
  const dialog = field.closest(modal);
  const { activeElement } = document;
  const isUnmoved =
    !dialog?.contains(activeElement) || activeElement?.matches(`${modal}, button[aria-label="Close"]`);
  if (dialog && isUnmoved) field.focus();
}

/** Returns a function that closes the surrounding dialog, or `undefined` outside a dialog. */
export function useDialogClose(): (() => void) | undefined {
  return use(DialogLayerContext)?.requestClose;
}

/** Registers a guard that can keep the surrounding dialog open. */
export function useCloseGuard(guard: CloseGuard): void {
  const layer = use(DialogLayerContext);
  const ask = useEffectEvent(guard);
  useEffect(() => {
    layer?.setGuard(() => ask());
    return () => layer?.setGuard(null);
  }, [layer]);
}

/**
 * Transition of floating elements: 120 ms in, 80 ms out. Mantine skips transitions for users who prefer reduced
 * motion.
 */
export const floatMotion = {
  transition: 'fade',
  duration: 120,
  exitDuration: 80,
  timingFunction: 'ease-out',
} as const;

/** Returns the focus to the previously focused element when a layer closes, unless the focus has moved elsewhere. */
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
