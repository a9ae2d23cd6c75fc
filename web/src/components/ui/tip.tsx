import {
  cloneElement,
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  useState,
} from 'react';
import { lazyPart } from '#lib/lazy-part.tsx';
import type { TooltipLook } from './tooltip.tsx';

/** Loaded with the first tooltip. */
const Tooltip = lazyPart(() => import('./tooltip.tsx'), 'Tooltip');

/** The element's own handlers are still called. */
export interface Described {
  onPointerEnter?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
  onPointerLeave?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
  onFocus?: ((event: FocusEvent<HTMLElement>) => void) | undefined;
  onBlur?: ((event: FocusEvent<HTMLElement>) => void) | undefined;
  onKeyDown?: ((event: KeyboardEvent<HTMLElement>) => void) | undefined;
  'aria-description'?: string | undefined;
}

interface TipProps extends TooltipLook {
  label: string | null;
  isDisabled?: boolean;
  /** Whether touching the element opens the tooltip. Touching elsewhere closes the tooltip. */
  opensOnTouch?: boolean;
  children: ReactElement<Described>;
}

/** Opens on hover, keyboard focus and touch, and closes on Escape (WCAG 1.4.13). */
export function Tip({ label, isDisabled = false, opensOnTouch = true, children, ...look }: TipProps) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  const open = (element: HTMLElement) => {
    setTarget(element);
    setOpen(true);
  };
  const own = children.props;
  const described: Described = {
    'aria-description': isDisabled ? undefined : (label ?? undefined),
    onPointerEnter(event) {
      own.onPointerEnter?.(event);
      if (event.pointerType !== 'touch' || opensOnTouch) open(event.currentTarget);
    },
    onPointerLeave(event) {
      own.onPointerLeave?.(event);
      if (event.pointerType !== 'touch') setOpen(false);
    },
    onFocus(event) {
      own.onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) open(event.currentTarget);
    },
    onBlur(event) {
      own.onBlur?.(event);
      setOpen(false);
    },
    onKeyDown(event) {
      own.onKeyDown?.(event);
      if (event.key === 'Escape') setOpen(false);
    },
  };
  return (
    <>
      {cloneElement(children, described)}
      {target && !isDisabled && label !== null && (
        <Tooltip target={target} isOpen={isOpen} label={label} onClose={() => setOpen(false)} {...look} />
      )}
    </>
  );
}
