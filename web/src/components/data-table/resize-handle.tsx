import type { KeyboardEvent, PointerEvent } from 'react';
import styles from './details-drawer.module.css';
import { type DrawerWidth, drawerWidthsPx } from './details-drawer.tsx';

const stepPx = 16;

/** The drawer's edge, to drag or to move by the arrow keys. */
export function ResizeHandle({ width }: { width: DrawerWidth }) {
  const drag = (event: PointerEvent) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) width.set(window.innerWidth - event.clientX);
  };
  const moveByKey = (event: KeyboardEvent) => {
    const targets: Record<string, number> = {
      ArrowLeft: width.px + stepPx,
      ArrowRight: width.px - stepPx,
      Home: drawerWidthsPx.min,
      End: drawerWidthsPx.max,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    width.set(target);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved, a separator with a value can
    <div
      role="separator"
      aria-label="Width of the details"
      aria-orientation="vertical"
      aria-valuemin={drawerWidthsPx.min}
      aria-valuemax={drawerWidthsPx.max}
      aria-valuenow={width.px}
      tabIndex={0}
      className={styles.handle}
      onKeyDown={moveByKey}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    />
  );
}
