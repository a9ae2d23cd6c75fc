import { useEffect, useEffectEvent } from 'react';

const handlers: (() => void)[] = [];

/** While active, Escape calls back, but only what was opened last: a question over a dialog closes alone. */
export function useEscape(isActive: boolean, onEscape: () => void): void {
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
