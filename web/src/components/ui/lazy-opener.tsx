import { type Ref, type RefObject, useId, useImperativeHandle, useRef, useState } from 'react';
import { useEverTrue } from '#lib/lazy-part.tsx';

type Button = HTMLButtonElement | null;

/** State of a menu or popover. `floatingProps` are props of Mantine's `Menu` or `Popover`; `anchor` is its target. */
export type Opening = ReturnType<typeof useLazyOpener>['opening'];

/**
 * The menu's code is loaded when `isUsed` becomes true. The button is rendered outside the menu, because the loaded
 * code would otherwise replace it and lose the focus.
 */
export function useLazyOpener(kind: 'menu' | 'dialog') {
  const [isOpen, setOpen] = useState(false);
  const isUsed = useEverTrue(isOpen);
  const button = useRef<Button>(null);
  const id = useId();
  const change = (next: boolean) => {
    setOpen(next);
    if (!next) button.current?.focus();
  };
  const buttonProps = {
    id,
    ref: button,
    'aria-haspopup': kind,
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? `${id}-dropdown` : undefined,
    onClick: () => setOpen(!isOpen),
  };
  const floatingProps = {
    id,
    opened: isOpen,
    onChange: change,
    transitionProps: { duration: 0 },
  };
  return { isUsed, buttonProps, opening: { anchor: <OpenerAnchor button={button} />, floatingProps } };
}

/** Anchors a menu or popover to a button that is rendered elsewhere. */
function OpenerAnchor({ button, ref }: { button: RefObject<Button>; ref?: Ref<Button> }) {
  useImperativeHandle<Button, Button>(ref, () => button.current, [button]);
  return null;
}
