import { type RefCallback, useCallback, useState } from 'react';

/** Returns the width of the referenced element, 0 before it is mounted, and the ref. */
export function useWidth(): [widthPx: number, measure: RefCallback<HTMLElement>] {
  const [widthPx, setWidthPx] = useState(0);
  const measure = useCallback((element: HTMLElement) => {
    setWidthPx(element.clientWidth);
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [widthPx, measure];
}
